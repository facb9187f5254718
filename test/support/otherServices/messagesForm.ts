import { randomId, textOf } from './chatForm';
import { isRecord, recordsOf, streamHeaders, type Reply } from './loopbackService';
import { cut, scriptedAnswer, tokensOf, type Asking } from './scriptedModel';

type Body = Readonly<Record<string, unknown>>;

/** How servers with `/messages` differ. */
export interface MessagesStyle {
  readonly messageId: () => string;
  readonly callId: () => string;
  /** Whether a thinking block precedes the answer. */
  readonly thinks: (body: Body) => boolean;
  /** The server's signature of thinking blocks. Empty if it signs none. */
  readonly signature: string;
  /** Whether a ping follows the first event. */
  readonly pings: boolean;
  /** Properties of the usage in addition to the counts. */
  readonly usage: Readonly<Record<string, unknown>>;
}

export function askingOfMessages(body: Body): Asking {
  const messages = recordsOf(body['messages']);
  const isResult = (message: Body | undefined) =>
    recordsOf(message?.['content']).some(({ type }) => type === 'tool_result');
  const last = messages.findLastIndex((message) => message['role'] === 'user' && !isResult(message));
  const choice = isRecord(body['tool_choice']) ? body['tool_choice']['type'] : 'auto';
  const after = messages.slice(last + 1).flatMap(({ content }) => recordsOf(content));
  return {
    question: textOf(messages[last]?.['content']),
    tools:
      choice === 'none'
        ? []
        : recordsOf(body['tools']).map(({ name, input_schema: schema }) => ({
            name: String(name),
            schema: schema ?? {},
          })),
    results: after.filter(({ type }) => type === 'tool_result').map(({ content }) => textOf(content)),
    mustCall: choice === 'any' || choice === 'tool',
  };
}

interface Block {
  readonly start: Body;
  readonly deltas: readonly Body[];
  readonly whole: Body;
}

/** Returns the model's response to a valid request, complete or as a stream. */
export function messagesReply(body: Body, style: MessagesStyle): Reply {
  const answer = scriptedAnswer(askingOfMessages(body));
  const { tokens, isWhole } = cut(answer.text, Number(body['max_tokens']));
  const call = isWhole ? answer.call : undefined;
  const blocks = [
    ...(style.thinks(body) ? [thinkingBlock(answer.reasoning, style.signature)] : []),
    textBlock(tokens),
    ...(call ? [toolBlock(call, style.callId())] : []),
  ];
  const input = recordsOf(body['messages']).reduce((sum, { content }) => sum + tokensOf(textOf(content)).length + 4, 0);
  const usage = { input_tokens: input, ...style.usage, output_tokens: tokens.length + (call ? 12 : 0) };
  const end = { stop_reason: isWhole ? (call ? 'tool_use' : 'end_turn') : 'max_tokens', stop_sequence: null };
  const message = { id: style.messageId(), type: 'message', role: 'assistant', model: body['model'] };
  if (body['stream'] !== true) {
    return { json: { ...message, content: blocks.map(({ whole }) => whole), ...end, usage } };
  }
  const begin = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const events: Body[] = [
    { type: 'message_start', message: begin },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...(style.pings && index === 0 ? [{ type: 'ping' }] : []),
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: end, usage },
    { type: 'message_stop' },
  ];
  return {
    headers: streamHeaders,
    raw: events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`),
  };
}

function thinkingBlock(thinking: string, signature: string): Block {
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...tokensOf(thinking).map((token) => ({ type: 'thinking_delta', thinking: token })),
      ...(signature ? [{ type: 'signature_delta', signature }] : []),
    ],
    whole: { type: 'thinking', thinking, signature },
  };
}

function textBlock(tokens: readonly string[]): Block {
  return {
    start: { type: 'text', text: '' },
    deltas: tokens.map((token) => ({ type: 'text_delta', text: token })),
    whole: { type: 'text', text: tokens.join('') },
  };
}

function toolBlock({ name, input }: { readonly name: string; readonly input: Body }, id: string): Block {
  const pieces = ['', ...(JSON.stringify(input).match(/.{1,9}/gs) ?? [])];
  return {
    start: { type: 'tool_use', id, name, input: {} },
    deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    whole: { type: 'tool_use', id, name, input },
  };
}

export const anthropicId = (kind: string): string => `${kind}_01${randomId(11)}`;
