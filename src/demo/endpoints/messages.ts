import { type ChatAnswer, answerChat, type ChatRequest, type ToolCall, type Turn } from '../answers/chatEngine';
import { tokenise } from '../answers/tokens';
import { charge, requireBalance } from '../billing';
import type { Call, Endpoint } from '../call';
import type { Fault } from '../faults/fault';
import { misbehave } from '../faults/streamFaults';
import { type Frames, doneFrame, jsonFrame } from '../frames';
import { pacedText } from '../pacedText';
import { wait } from '../wait';
import { isSignatureOf } from '../answers/signature';
import type { ToolChoice } from '../answers/tools';
import { neededBlocks } from '../faults/messageStreamFaults';
import { badParameter } from '../refusal';
import {
  anything,
  either,
  flag,
  integer,
  isRecord,
  list,
  number,
  oneOf,
  optional,
  readStrictly,
  record,
  required,
  text,
} from '../validate';
import { chatModel, requireFit, requireTurns } from './chatModel';

const stopReasons = {
  done: 'end_turn',
  length: 'max_tokens',
  tool: 'tool_use',
  stopSequence: 'stop_sequence',
  refusal: 'refusal',
  unknown: 'paused_for_review',
} as const satisfies Record<ChatAnswer['end'], string>;

/** Truncated input isn't valid JSON, so a complete response shows none of it. */
const inputOf = ({ json, isWhole }: ToolCall): unknown => (isWhole ? JSON.parse(json) : {});

function contentOf(answer: ChatAnswer): readonly Record<string, unknown>[] {
  return [
    ...(answer.thinking === '' ? [] : [{ type: 'thinking', thinking: answer.thinking, signature: answer.signature }]),
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
    ...answer.toolCalls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: inputOf(call) })),
  ];
}

const event = (type: string, rest: Record<string, unknown> = {}) => jsonFrame({ type, ...rest }, type);
const delta = (index: number, value: Record<string, unknown>) => event('content_block_delta', { index, delta: value });

/** Yields the events of an answer at the service's pace. */
async function* framesOf(answer: ChatAnswer, id: string, { service, signal, modelName, fault }: Call): Frames {
  const usage = fault?.effect.kind === 'content' && fault.effect.how === 'noUsage' ? undefined : answer;
  yield event('message_start', {
    message: {
      id,
      type: 'message',
      role: 'assistant',
      content: [],
      model: modelName,
      stop_reason: null,
      stop_sequence: null,
      ...(usage === undefined ? {} : { usage: { input_tokens: usage.inputTokens } }),
    },
  });
  await wait(service.pace().firstTokenMs, signal);
  let index = 0;
  if (answer.thinking !== '') {
    yield event('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
    for await (const piece of pacedText(answer.thinking, service, signal))
      yield delta(index, { type: 'thinking_delta', thinking: piece });
    const half = Math.ceil(answer.signature.length / 2);
    yield delta(index, { type: 'signature_delta', signature: answer.signature.slice(0, half) });
    yield delta(index, { type: 'signature_delta', signature: answer.signature.slice(half) });
    yield event('content_block_stop', { index });
    index += 1;
  }
  if (answer.text !== '') {
    yield event('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for await (const piece of pacedText(answer.text, service, signal))
      yield delta(index, { type: 'text_delta', text: piece });
    yield event('content_block_stop', { index });
    index += 1;
  }
  for (const call of answer.toolCalls) {
    yield event('content_block_start', {
      index,
      content_block: { type: 'tool_use', id: call.id, name: call.name, input: {} },
    });
    yield delta(index, { type: 'input_json_delta', partial_json: '' });
    for (const piece of tokenise(call.json)) yield delta(index, { type: 'input_json_delta', partial_json: piece });
    yield event('content_block_stop', { index });
    index += 1;
  }
  yield event('message_delta', {
    delta: { stop_reason: stopReasons[answer.end], stop_sequence: answer.stopSequence ?? null },
    ...(usage === undefined ? {} : { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
  });
  yield event('message_stop');
  yield doneFrame;
}

/** Returns a whole answer as the service sends it. */
export function messageBody(
  answer: ChatAnswer,
  { id, model }: { readonly id: string; readonly model: string },
  withUsage = true,
): Record<string, unknown> {
  return {
    id,
    type: 'message',
    role: 'assistant',
    content: contentOf(answer),
    model,
    stop_reason: stopReasons[answer.end],
    stop_sequence: answer.stopSequence ?? null,
    ...(withUsage ? { usage: { input_tokens: answer.inputTokens, output_tokens: answer.outputTokens } } : {}),
  };
}

export const messages: Endpoint = {
  name: 'POST /messages',
  body: 'json',
  standIn: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
  takesApiKeyHeader: true,
  handle: async (call) => {
    const { service, signal, reply, modelName, fault } = call;
    const { chat, stream } = readMessagesRequest(call.body, fault);
    requireBalance(service, chat.model);
    const answer = answerChat(chat);
    const id = `msg_${service.newId()}`;
    await charge(service, chat.model, (answer.inputTokens + answer.outputTokens) / 1000);
    if (stream) return reply.events(misbehave(framesOf(answer, id, call), fault, 'messages'));
    const { firstTokenMs, tokenMs } = service.pace();
    await wait(firstTokenMs + (tokenMs * answer.outputTokens) / 4, signal);
    return reply.json(200, messageBody(answer, { id, model: modelName }, chat.content !== 'noUsage'));
  },
};

const fields = {
  model: required(text({ min: 1 })),
  messages: required(list(record, { min: 1, max: 10 })),
  max_tokens: required(integer({ min: 1 })),
  system: optional(either((value) => typeof value === 'string', text(), list(record))),
  stop_sequences: optional(list(text({ min: 1 }))),
  stream: optional(flag),
  temperature: optional(number({ min: 0, max: 2 })),
  top_p: optional(number({ min: 0.1, max: 1 })),
  top_k: optional(integer({ min: 0, max: 50 })),
  tools: optional(list(record)),
  tool_choice: optional(record),
  thinking: optional(record),
  metadata: optional(record),
};

const toolFields = {
  name: required(text({ min: 1, max: 64 })),
  description: optional(text()),
  input_schema: required(record),
  type: optional(anything),
  cache_control: optional(anything),
};

/** Returns the text of a content value: a string, or text blocks. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map((block: unknown) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n');
}

/** Throws a refusal unless the thinking is unchanged, that is unless its signature is present and matches the text. */
function requireSignature(block: Record<string, unknown>, at: string): void {
  const { thinking, signature } = block;
  if (typeof thinking === 'string' && isSignatureOf(signature, thinking)) return;
  throw badParameter(`${at}: Invalid \`signature\` in \`thinking\` block`, `${at}.signature`);
}

function readBlocks(role: Turn['role'], blocks: readonly unknown[], name: string): Turn {
  const toolCalls: { id: string; name: string }[] = [];
  const toolResults: { id: string; text: string; isError: boolean }[] = [];
  const texts: string[] = [];
  let images = 0;
  for (const [index, block] of blocks.entries()) {
    const at = `${name}.content[${index}]`;
    if (!isRecord(block)) throw badParameter(`${at}: Input should be a valid dictionary`, at);
    const type = block['type'];
    if (type === 'text') texts.push(required(text())(block['text'], `${at}.text`));
    else if (type === 'tool_use')
      toolCalls.push({
        id: required(text({ min: 1 }))(block['id'], `${at}.id`),
        name: required(text({ min: 1 }))(block['name'], `${at}.name`),
      });
    else if (type === 'tool_result') {
      toolResults.push({
        id: required(text({ min: 1 }))(block['tool_use_id'], `${at}.tool_use_id`),
        text: plainText(block['content']),
        isError: block['is_error'] === true,
      });
    } else if (type === 'image' || type === 'document') images += 1;
    else if (type === 'thinking') requireSignature(block, at);
    else if (type !== 'redacted_thinking')
      throw badParameter(`${at}.type: Input should be 'text', 'thinking', 'tool_use', 'tool_result' or 'image'`, at);
  }
  return { role, text: texts.join('\n\n'), images, toolCalls, toolResults };
}

function readTurn(value: Record<string, unknown>, index: number): Turn {
  const name = `messages[${index}]`;
  const { role, content } = readStrictly(value, {
    role: required(oneOf('user', 'assistant', 'system')),
    content: required(anything),
  });
  if (typeof content === 'string') return { role, text: content, images: 0, toolCalls: [], toolResults: [] };
  if (!Array.isArray(content)) throw badParameter(`${name}.content: Input should be a valid string`, `${name}.content`);
  return readBlocks(role, content, name);
}

/** Throws a refusal unless every tool_result answers a tool_use of the previous turn. */
function requirePairs(turns: readonly Turn[]): void {
  for (const [index, turn] of turns.entries()) {
    const known = new Set(turns[index - 1]?.toolCalls.map((call) => call.id));
    const stray = turn.toolResults.find((result) => !known.has(result.id));
    if (stray !== undefined)
      throw badParameter(
        `messages[${index}]: tool_result ${stray.id} has no tool_use in the message before it`,
        'messages',
      );
  }
}

function readChoice(
  value: Record<string, unknown> | undefined,
  names: readonly string[],
): { choice: ToolChoice; parallel: boolean } {
  if (value === undefined) return { choice: { type: 'auto' }, parallel: true };
  const {
    type,
    name,
    disable_parallel_tool_use: single = false,
  } = readStrictly(value, {
    type: required(oneOf('auto', 'any', 'tool', 'none')),
    name: optional(text()),
    disable_parallel_tool_use: optional(flag),
  });
  if (type !== 'tool') return { choice: { type }, parallel: !single };
  if (name === undefined || !names.includes(name))
    throw badParameter(`tool_choice: no tool is named ${name ?? '(empty)'}`, 'tool_choice');
  return { choice: { type, name }, parallel: !single };
}

function readThinking(value: Record<string, unknown> | undefined): { think?: boolean; thinkingBudget?: number } {
  if (value === undefined) return {};
  const { type, budget_tokens: budget } = readStrictly(value, {
    type: optional(anything),
    budget_tokens: optional(integer({ min: 1 })),
  });
  if (type !== 'enabled' && type !== 'disabled')
    throw badParameter('thinking type should be enabled or disabled', 'thinking');
  return { think: type === 'enabled', ...(budget === undefined ? {} : { thinkingBudget: budget }) };
}

/** Reads and validates a body of `POST /messages`; throws the refusal that the specification states. */
export function readMessagesRequest(
  body: Record<string, unknown>,
  fault?: Fault,
): { readonly chat: ChatRequest; readonly stream: boolean } {
  const sent = readStrictly(body, fields);
  const model = chatModel(sent.model);
  const turns = sent.messages.map(readTurn);
  requireTurns(sent.messages);
  requirePairs(turns);
  if (!turns.some((turn) => turn.role === 'user'))
    throw badParameter('messages: at least one message of the user is needed', 'messages');
  const tools = (sent.tools ?? []).map((value) => {
    const { name, description = '', input_schema: schema } = readStrictly(value, toolFields);
    return { name, description, schema };
  });
  const { choice, parallel } = readChoice(
    sent.tool_choice,
    tools.map((tool) => tool.name),
  );
  const thinking = readThinking(sent.thinking);
  if (thinking.think === true && model.thinks === undefined)
    throw badParameter('Value error, current model does not support parameter `thinking`.', 'thinking');
  const chat: ChatRequest = {
    model,
    turns,
    tools,
    ...thinking,
    system: plainText(sent.system),
    toolChoice: choice,
    parallelTools: parallel,
    stop: sent.stop_sequences ?? [],
    maxTokens: sent.max_tokens,
    json: false,
    content: fault?.effect.kind === 'content' ? fault.effect.how : undefined,
    mustHold: neededBlocks(fault),
  };
  requireFit(chat);
  return { chat, stream: sent.stream ?? false };
}
