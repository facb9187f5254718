import type * as z from 'zod/mini';
import type { CallPart } from './callPieces';
import type { chatCompletionChunk } from './chatCompletions.schema';

export type WireChoice = NonNullable<z.infer<typeof chatCompletionChunk>['choices']>[number];
export type WireDelta = NonNullable<WireChoice['delta']>;
type ContentPart = Exclude<NonNullable<WireDelta['content']>, string>[number];

/** Whether a text begins with thinking in tags. */
export function beginsThought(text: string): boolean {
  return text.trimStart().startsWith('<think>');
}

/** Returns why a choice ended; `undefined` if it has not. Some servers say `""` or `"null"` until then. */
export function finishOf(choice: WireChoice): string | undefined {
  const { finish_reason, finishReason, native_finish_reason: native, delta } = choice;
  if (native === 'error' || native === 'network_error') return native;
  const reason = finish_reason || finishReason || delta?.finish_reason || native;
  return reason && reason !== 'null' ? reason : undefined;
}

/** The content of a delta or a message, whatever form it has on the wire. */
export interface DeltaContent {
  readonly reasoning: string;
  readonly content: string;
  readonly calls: readonly CallPart[];
  readonly images: readonly string[];
}

export const noImages: readonly string[] = [];
const noParts: readonly ContentPart[] = [];

/** Reads a delta in any of its forms. Text under two names is read once. */
export function readDelta(wire: WireDelta | undefined): DeltaContent {
  const { content, refusal, tool_calls, function_call: called, images, audio, multi_mod_content: more } = wire ?? {};
  const parts =
    more || Array.isArray(content) ? [content, more].flatMap((list) => (Array.isArray(list) ? list : [])) : noParts;
  const text = (typeof content === 'string' ? content : partsText(parts, false)) || refusal || audio?.transcript || '';
  const calls = tool_calls ?? (called ? [{ index: 0, function: called }] : parts.flatMap(callInPart));
  return {
    reasoning: wire ? reasoningIn(wire, parts) : '',
    content: text,
    calls: calls.map(({ name, arguments: input, ...call }) =>
      call.function || name === undefined ? call : { ...call, function: { name, arguments: input } },
    ),
    images:
      images || parts.length > 0 ? [...(images ?? []).flatMap(imageAddress), ...parts.flatMap(partAddress)] : noImages,
  };
}

function reasoningIn(wire: WireDelta, parts: readonly ContentPart[]): string {
  const { reasoning_content, reasoning, reasoning_text, thinking, thought, reasoning_steps, reasoning_details } = wire;
  const summary =
    typeof reasoning === 'object' ? reasoning.summary?.map((one) => one.text ?? '').join('\n\n') : undefined;
  const named = typeof reasoning === 'object' ? (reasoning.text ?? reasoning.content ?? summary) : reasoning;
  const details = () => (reasoning_details ?? []).map(({ text, summary }) => text ?? summary ?? '').join('');
  const text =
    reasoning_content ||
    named ||
    reasoning_text ||
    thinking ||
    thought ||
    reasoning_steps ||
    partsText(parts, true) ||
    details();
  return withoutMarks(text);
}

/** Returns LiteLLM's thinking, which counts only without thinking under another name. */
export function thinkingInBlocks(wire: WireDelta | undefined): string {
  return wire?.thinking_blocks?.map(({ thinking }) => thinking ?? '').join('') ?? '';
}

/** Removes the tags that some servers leave around thinking. */
function withoutMarks(text: string): string {
  return text.includes('<') ? text.replace(/^\s*<(?:think|thought)>\n?|\n?<\/(?:think|thought)>\s*$/g, '') : text;
}

/** Anthropic has calls among the parts of the content. */
function callInPart({ type, id, name, input }: ContentPart): readonly CallPart[] {
  return type === 'tool_use' && name !== undefined ? [{ id, function: { name, arguments: input } }] : [];
}

type ImageOnTheWire = NonNullable<WireDelta['images']>[number];

function imageAddress(image: ImageOnTheWire): readonly string[] {
  if (typeof image === 'string') return [image];
  const { image_url: address, url, b64_json: data } = image;
  if (data !== undefined) return [`data:image/png;base64,${data}`];
  const named = (typeof address === 'string' ? address : address?.url) ?? url;
  return named ? [named] : [];
}

function partAddress({ type, image_url: address, source }: ContentPart): readonly string[] {
  if (type !== 'image_url' && type !== 'image' && type !== 'output_image') return [];
  if (source?.data !== undefined) return [`data:${source.media_type ?? 'image/png'};base64,${source.data}`];
  const named = (typeof address === 'string' ? address : address?.url) ?? source?.url;
  return named ? [named] : [];
}

/** Returns the text of a content list: either reasoning or the answer. */
function partsText(parts: readonly ContentPart[], isThought: boolean): string {
  return parts
    .filter(({ type }) => /^(?:thinking|reasoning)/.test(type ?? '') === isThought)
    .map(({ text, thinking, refusal, summary }) => {
      const list = typeof thinking === 'object' ? thinking : summary;
      return list && text === undefined
        ? list.map((one) => one.text ?? '').join('')
        : typeof thinking === 'string'
          ? thinking
          : (text ?? refusal ?? '');
    })
    .join('');
}

/** Reads a complete message, whose calls are in order but usually without indexes. */
export function readMessage(wire: WireDelta | undefined): DeltaContent {
  const read = readDelta(wire);
  return { ...read, calls: read.calls.map((call, position) => ({ ...call, index: call.index ?? position })) };
}
