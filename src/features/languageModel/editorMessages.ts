import * as vscode from 'vscode';
import type { MessageParam } from '../../core/api/messages/messages.schema';
import type { ContentParam } from '../../core/conversation/compactedTranscript';
import { imageTypes } from '../../protocol/chatBounds';
import { partText } from '../../platform/toolResultText';

/** A message as passed by the editor or an extension; newer editors use a role for the system prompt that the typings lack. */
export type EditorMessage = vscode.LanguageModelChatRequestMessage & { readonly role: number };

const systemRole = 3;

/** Converts the messages to the service's format for `model`. Leaves out parts that are only for the editor. */
export function toMessageParams(messages: readonly EditorMessage[], model: string): readonly MessageParam[] {
  return messages.map(({ role, content }) => ({
    role: toRole(role),
    content: content.flatMap((part) => toBlock(part, role, model)),
  }));
}

function toRole(role: number): MessageParam['role'] {
  if (role === systemRole) return 'system';
  return role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user';
}

function toBlock(part: unknown, role: number, model: string): readonly ContentParam[] {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return [{ type: 'tool_use', id: part.callId, name: part.name, input: toInput(part.input) }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) return [toResult(part)];
  if (isThinkingPart(part)) {
    const whole = readWholeThinking(part, model);
    return whole ? [{ type: 'thinking', thinking: whole._completeThinking, signature: whole.signature }] : [];
  }
  return toText(part, role);
}

function toText(part: unknown, role: number): readonly ResultPart[] {
  if (part instanceof vscode.LanguageModelDataPart) {
    // Internal markers of the editor, such as `cache_control`, are not media types.
    if (!part.mimeType.includes('/')) return [];
    const isUser = role === vscode.LanguageModelChatMessageRole.User;
    if (part.mimeType.startsWith('image/') && !isUser) return [];
    const mediaType = part.mimeType === 'image/jpg' ? 'image/jpeg' : part.mimeType;
    // Other images are replaced by a note that they exist.
    if (imageTypes.includes(mediaType)) return [toImage(part, mediaType)];
  }
  return [{ type: 'text', text: partText(part) }];
}

type ResultPart = Extract<ContentParam, { readonly type: 'text' | 'image' }>;

function toImage({ data }: vscode.LanguageModelDataPart, mediaType: string): ResultPart {
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } };
}

function toResult(part: vscode.LanguageModelToolResultPart): ContentParam {
  const content = part.content.flatMap((item) => toText(item, vscode.LanguageModelChatMessageRole.User));
  const isText = content.every(({ type }) => type === 'text');
  // Not in the typings: newer editors report that a tool failed.
  const { isError } = part as { readonly isError?: unknown };
  return {
    type: 'tool_result',
    tool_use_id: part.callId,
    content: isText ? content.map((item) => (item.type === 'text' ? item.text : '')).join('\n') : content,
    ...(isError === true && { is_error: true }),
  };
}

function toInput(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {};
}

/** A part of a model's thinking. Not in the stable typings; editors since 1.106 have it and pass it on. */
interface ThinkingPart {
  readonly value: string | readonly string[];
  readonly id?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

type ThinkingPartClass = new (
  value: string,
  id?: string,
  metadata?: Readonly<Record<string, unknown>>,
) => ThinkingPart & vscode.LanguageModelTextPart;

/** `undefined` if the editor has no such part. */
export function thinkingPartClass(): ThinkingPartClass | undefined {
  const found = (vscode as { readonly LanguageModelThinkingPart?: unknown }).LanguageModelThinkingPart;
  return typeof found === 'function' ? (found as ThinkingPartClass) : undefined;
}

function isThinkingPart(part: unknown): part is ThinkingPart {
  const known = thinkingPartClass();
  return known !== undefined && part instanceof known;
}

/** Metadata stored with complete thinking, to be sent back. The editor's own providers use the first two names as well. */
export interface WholeThinking {
  readonly signature: string;
  readonly _completeThinking: string;
  /** The model that signed it; any other refuses it. */
  readonly inferenceDeskModel: string;
}

/** Returns the thinking if `model` signed it, otherwise `undefined`. */
function readWholeThinking({ metadata }: ThinkingPart, model: string): WholeThinking | undefined {
  const { signature, _completeThinking: text, inferenceDeskModel } = metadata ?? {};
  if (typeof signature !== 'string' || typeof text !== 'string' || inferenceDeskModel !== model) return undefined;
  return { signature, _completeThinking: text, inferenceDeskModel: model };
}
