import { batchMethod, batchUrl, roles } from '../limits';
import { bodyMembers } from '../parameters';
import type { BodyMember, BodyMemberName } from '../parameters';
import { memberWords as words } from '../words/memberWords';

/** What may stand at one place of a request. */
export interface Shape extends BodyMember {
  readonly about: () => string;
  /** Worth offering; nothing else is taken where `isClosed`. */
  readonly values?: readonly (string | number | boolean)[];
  readonly isClosed?: true;
  /** The values are the ids the service lists. */
  readonly isModel?: true;
  /** Of an object, in the order in which they are best written. Others may stand beside them. */
  readonly members?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** Of an array. */
  readonly items?: Shape;
  /** A snippet without spaces, where the usual one would be of less use. */
  readonly template?: string;
}

type Rest = Omit<Shape, 'kinds' | 'about'>;
const text = (about: () => string, rest: Rest = {}): Shape => ({ kinds: ['string'], about, ...rest });
const object = (about: () => string, rest: Rest = {}): Shape => ({ kinds: ['object'], about, ...rest });
const flag = (about: () => string): Shape => ({ kinds: ['boolean'], about, values: [true, false] });
const parameter = (name: BodyMemberName, about: () => string, rest: Rest = {}): Shape => ({
  ...bodyMembers[name],
  about,
  ...rest,
});

const part = object(words.part, {
  template: '{"type":"text","text":"$1"}',
  required: ['type'],
  members: {
    type: text(words.partType, { values: ['text', 'image_url'] }),
    text: text(words.partText),
    image_url: object(words.imageUrl, {
      template: '{"url":"$1"}',
      required: ['url'],
      members: {
        url: text(words.imageAddress),
        detail: text(words.imageDetail, { values: ['auto', 'low', 'high'] }),
      },
    }),
  },
});

const call = object(words.toolCalls, {
  template: '{"id":"$1","type":"function","function":{"name":"$2","arguments":"{$3}"}}',
  members: {
    id: text(words.callId),
    type: text(words.toolType, { values: ['function'] }),
    function: object(words.toolFunction, {
      members: { name: text(words.functionName), arguments: text(words.functionArguments) },
    }),
  },
});

const message = object(words.message, {
  template: '{"role":"${1|user,assistant,system,tool|}","content":"$2"}',
  required: ['role'],
  members: {
    role: text(words.role, { values: roles, isClosed: true }),
    content: { kinds: ['string', 'array', 'null'], about: words.content, items: part },
    name: text(words.name),
    tool_calls: { kinds: ['array', 'null'], about: words.toolCalls, items: call },
    tool_call_id: text(words.toolCallId),
    reasoning_content: { kinds: ['string', 'null'], about: words.reasoningContent },
  },
});

const tool = object(words.tool, {
  template:
    '{"type":"function","function":{"name":"$1","description":"$2","parameters":{"type":"object","properties":{$3}}}}',
  required: ['type', 'function'],
  members: {
    type: text(words.toolType, { values: ['function'] }),
    function: object(words.toolFunction, {
      required: ['name'],
      members: {
        name: text(words.functionName),
        description: text(words.functionDescription),
        parameters: object(words.functionParameters, { template: '{"type":"object","properties":{$1}}' }),
        strict: flag(words.strict),
      },
    }),
  },
});

const responseFormat: Rest = {
  template: '{"type":"${1|json_object,json_schema,text|}"}',
  required: ['type'],
  members: {
    type: text(words.formatType, { values: ['json_object', 'json_schema', 'text'] }),
    json_schema: object(words.jsonSchema, {
      template: '{"name":"$1","schema":{"type":"object","properties":{$2}}}',
      members: { name: text(words.schemaName), schema: object(words.schema), strict: flag(words.strict) },
    }),
  },
};

/** In the order in which they are offered. */
const body: Readonly<Record<BodyMemberName, Shape>> = {
  model: parameter('model', words.model, { isModel: true }),
  messages: parameter('messages', words.messages, { items: message, template: '[{"role":"user","content":"$1"}]' }),
  max_tokens: parameter('max_tokens', words.maxTokens, { values: [1024, 4096] }),
  temperature: parameter('temperature', words.temperature, { values: [0.7, 0, 1] }),
  top_p: parameter('top_p', words.topP, { values: [0.7, 0.9, 1] }),
  top_k: parameter('top_k', words.topK, { values: [50, 20] }),
  min_p: parameter('min_p', words.minP, { values: [0.05] }),
  frequency_penalty: parameter('frequency_penalty', words.frequencyPenalty, { values: [0, 0.5] }),
  presence_penalty: parameter('presence_penalty', words.presencePenalty, { values: [0, 0.5] }),
  n: parameter('n', words.n, { values: [1] }),
  seed: parameter('seed', words.seed, { values: [42] }),
  stop: parameter('stop', words.stop, { template: '["$1"]' }),
  response_format: parameter('response_format', words.responseFormat, responseFormat),
  tools: parameter('tools', words.tools, { items: tool }),
  tool_choice: parameter('tool_choice', words.toolChoice, { values: ['auto', 'none', 'required'] }),
  enable_thinking: parameter('enable_thinking', words.enableThinking, { values: [true, false] }),
  thinking_budget: parameter('thinking_budget', words.thinkingBudget, { values: [4096] }),
  stream: parameter('stream', words.stream, { values: [false, true] }),
};

/** A whole line. */
export const requestShape: Shape = object(words.body, {
  template: `{"custom_id":"$1","method":"${batchMethod}","url":"${batchUrl}","body":{"model":"$2","messages":[{"role":"user","content":"$3"}]}}`,
  required: ['custom_id', 'body'],
  members: {
    custom_id: text(words.customId),
    method: text(words.method, { values: [batchMethod], isClosed: true }),
    url: text(words.url, { values: [batchUrl], isClosed: true }),
    body: object(words.body, {
      members: body,
      required: ['messages'],
      template: '{"model":"$1","messages":[{"role":"user","content":"$2"}]}',
    }),
  },
});

/** What may stand at that place; `undefined` where nothing is known of it. */
export function shapeAt(path: readonly (string | number)[]): Shape | undefined {
  let shape: Shape | undefined = requestShape;
  for (const segment of path) {
    if (typeof segment === 'number') shape = shape?.items;
    else shape = shape?.members && Object.hasOwn(shape.members, segment) ? shape.members[segment] : undefined;
  }
  return shape;
}
