import type { ChatRequest, Turn } from '../answers/chatEngine';
import type { ToolChoice } from '../answers/tools';
import { neededBlocks } from '../faults/messageStreamFaults';
import type { Fault } from '../faults/fault';
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

const fields = {
  model: required(text({ min: 1 })),
  messages: required(list(record, { min: 1 })),
  max_tokens: optional(integer({ min: 1 })),
  stream: optional(flag),
  stream_options: optional(record),
  stop: optional(either((value) => typeof value === 'string', text({ min: 1 }), list(text({ min: 1 }), { max: 4 }))),
  temperature: optional(number({ min: 0, max: 2 })),
  top_p: optional(number({ min: 0, max: 1 })),
  top_k: optional(integer({ min: -1, max: 100 })),
  min_p: optional(number({ min: 0, max: 1 })),
  frequency_penalty: optional(number({ min: -2, max: 2 })),
  presence_penalty: optional(number({ min: -2, max: 2 })),
  n: optional(integer({ min: 1, max: 128 })),
  seed: optional(integer()),
  response_format: optional(readFormat),
  tools: optional(list(record, { max: 128 })),
  tool_choice: optional(anything),
  enable_thinking: optional(flag),
  thinking_budget: optional(integer({ min: 128, max: 32_768 })),
};

export interface ChatBody {
  readonly chat: ChatRequest;
  readonly stream: boolean;
  readonly n: number;
}

function readParts(parts: readonly unknown[], name: string): { text: string; images: number } {
  let images = 0;
  const texts = parts.map((value) => {
    const part = record(value, name);
    const type = required(text())(part['type'], `${name}.type`);
    const said = optional(text())(part['text'], `${name}.text`);
    if (type === 'text') return required(text())(said, `${name}.text`);
    readPicture(part['image_url'], `${name}.image_url`, type === 'image_url');
    images += 1;
    return '';
  });
  return { text: texts.filter((item) => item !== '').join('\n\n'), images };
}

function readPicture(value: unknown, name: string, isNeeded: boolean): void {
  const picture = (isNeeded ? required(record) : optional(record))(value ?? undefined, name);
  if (picture) required(text({ min: 1 }))(picture['url'], `${name}.url`);
  optional(text())(picture?.['detail'], `${name}.detail`);
}

function readTurn(value: Record<string, unknown>, index: number): Turn {
  const name = `messages[${index}]`;
  const role = required(oneOf('system', 'user', 'assistant', 'tool'))(value['role'], `${name}.role`);
  optional(text())(value['name'], `${name}.name`);
  optional(text())(value['reasoning_content'], `${name}.reasoning_content`);
  optional(text())(value['tool_call_id'], `${name}.tool_call_id`);
  const toolCalls = (optional(list(record))(value['tool_calls'], `${name}.tool_calls`) ?? []).map((call) =>
    readCall(call, `${name}.tool_calls`),
  );
  const onlyCalls = role === 'assistant' && toolCalls.length > 0;
  const content = required(anything)(value['content'] ?? (onlyCalls ? '' : undefined), `${name}.content`);
  const { text: said, images } = Array.isArray(content)
    ? readParts(content, name)
    : { text: text()(content, `${name}.content`), images: 0 };
  if (role === 'tool') {
    const id = required(text({ min: 1 }))(value['tool_call_id'], `${name}.tool_call_id`);
    return { role: 'user', text: '', images: 0, toolCalls: [], toolResults: [{ id, text: said, isError: false }] };
  }
  return { role, text: said, images, toolCalls, toolResults: [] };
}

function readCall(call: Record<string, unknown>, name: string): Turn['toolCalls'][number] {
  optional(text())(call['type'], `${name}.type`);
  const called = optional(record)(call['function'], `${name}.function`);
  optional(text())(called?.['arguments'], `${name}.function.arguments`);
  return {
    id: required(text())(call['id'], `${name}.id`),
    name: optional(text())(called?.['name'], `${name}.function.name`) ?? 'tool',
  };
}

function readFormat(value: unknown, name: string): Record<string, unknown> {
  const format = record(value, name);
  const type = required(oneOf('text', 'json_object', 'json_schema'))(format['type'], `${name}.type`);
  const isSchema = type === 'json_schema';
  const schema = (isSchema ? required(record) : optional(record))(format['json_schema'], `${name}.json_schema`);
  optional(text())(schema?.['name'], `${name}.json_schema.name`);
  (isSchema ? required(record) : optional(record))(schema?.['schema'], `${name}.json_schema.schema`);
  optional(flag)(schema?.['strict'], `${name}.json_schema.strict`);
  return format;
}

/** Joins the results of one round, which are in separate messages, because the engine expects them as one turn. */
function joinResults(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (turn.toolResults.length > 0 && last !== undefined && last.toolResults.length > 0) {
      joined[joined.length - 1] = { ...last, toolResults: [...last.toolResults, ...turn.toolResults] };
    } else joined.push(turn);
  }
  return joined;
}

function readChoice(value: unknown): ToolChoice {
  if (value === undefined || value === null || value === 'auto') return { type: 'auto' };
  if (value === 'none') return { type: 'none' };
  if (value === 'required') return { type: 'any' };
  const named = isRecord(value) && isRecord(value['function']) ? value['function']['name'] : undefined;
  const type = isRecord(value) ? (value['type'] ?? '') : undefined;
  if (typeof named === 'string' && typeof type === 'string') return { type: 'tool', name: named };
  throw badParameter("tool_choice: Input should be 'auto', 'none', 'required' or a function", 'tool_choice');
}

/** Throws a refusal of messages that are not taken in a conversation, but that the guide to batch files does not forbid. */
export function requireTalk(body: Record<string, unknown>): void {
  const messages = list(record)(body['messages'], 'messages');
  requireTurns(messages);
  const at = messages.findIndex(({ role, content }) => role === 'assistant' && content === null);
  if (at >= 0) throw badParameter(`messages[${at}].content: Input should be a valid string`, 'messages');
}

/** Reads and validates a body of `POST /chat/completions`, also from a batch file. */
export function readChatRequest(body: Record<string, unknown>, fault: Fault | undefined): ChatBody {
  const sent = readStrictly(body, fields);
  const model = chatModel(sent.model);
  if (sent.enable_thinking !== undefined && model.thinks === undefined) {
    throw badParameter('Value error, current model does not support parameter `enable_thinking`.', 'enable_thinking');
  }
  const tools = (sent.tools ?? []).map((value) => {
    required(oneOf('function'))(value['type'], 'tools.type');
    const described = required(record)(value['function'], 'tools.function');
    optional(flag)(described['strict'], 'tools.function.strict');
    return {
      name: required(text({ min: 1, max: 64 }))(described['name'], 'tools.function.name'),
      description: optional(text())(described['description'], 'tools.function.description') ?? '',
      schema: optional(record)(described['parameters'], 'tools.function.parameters') ?? {},
    };
  });
  const chat: ChatRequest = {
    model,
    tools,
    turns: joinResults(sent.messages.map(readTurn)),
    system: '',
    toolChoice: readChoice(sent.tool_choice),
    parallelTools: true,
    stop: typeof sent.stop === 'string' ? [sent.stop] : (sent.stop ?? []),
    maxTokens: sent.max_tokens ?? Math.min(4096, model.maxTokens ?? 4096),
    seed: sent.seed,
    think: sent.enable_thinking,
    thinkingBudget: sent.thinking_budget,
    json: sent.response_format?.['type'] === 'json_object' || sent.response_format?.['type'] === 'json_schema',
    content: fault?.effect.kind === 'content' ? fault.effect.how : undefined,
    mustHold: neededBlocks(fault),
  };
  requireFit(chat);
  return { chat, stream: sent.stream ?? false, n: sent.n ?? 1 };
}
