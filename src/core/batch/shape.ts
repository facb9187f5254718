import { acceptedAt, numberField, numbersAt, parameterTable } from '../parameters/parameterTable';
import type { NumberAt } from '../parameters/parameterTable';
import { parameterTexts } from '../parameters/parameterTexts';
import { roles } from './limits';
import type { BatchRules } from './services/batchRules';
import { openAi, siliconFlow } from './services/batchServices';
import { memberWords as words } from './words/memberWords';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** The values allowed at one path of a request. The service rejects others, unless only `usual` is exceeded. */
export interface Shape {
  readonly kinds: readonly JsonKind[];
  readonly about: () => string;
  readonly integer?: true;
  readonly min?: number;
  readonly max?: number;
  /** The bounds on one page of the vendor's documentation but not on another: the service may reject numbers beyond them. */
  readonly usual?: { readonly min?: number; readonly max?: number };
  /** Values to suggest; the only accepted ones if `isClosed`. */
  readonly values?: readonly (string | number | boolean)[];
  readonly isClosed?: true;
  /** The values are the model ids the service lists. */
  readonly isModel?: true;
  /** Of an object, in the best order to write them. Other properties are allowed too unless `isStrict`. */
  readonly members?: Readonly<Record<string, Shape>>;
  readonly isStrict?: true;
  readonly required?: readonly string[];
  /** The minimum length of a string, in UTF-16 units. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** For the complete string. */
  readonly pattern?: RegExp;
  /** The items of an array. */
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** A snippet without spaces, used where the default one would be less helpful. */
  readonly template?: string;
}

type Rest = Omit<Shape, 'kinds' | 'about'>;
const text = (about: () => string, rest: Rest = {}): Shape => ({ kinds: ['string'], about, ...rest });
const object = (about: () => string, rest: Rest = {}): Shape => ({ kinds: ['object'], about, ...rest });
const array = (about: () => string, rest: Rest = {}): Shape => ({ kinds: ['array'], about, ...rest });
const flag = (about: () => string): Shape => ({ kinds: ['boolean'], about, values: [true, false] });
const number = (about: () => string, rest: Rest = {}): Shape => ({ kinds: ['number'], about, ...rest });

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
        url: text(words.imageAddress, { minLength: 1 }),
        detail: text(words.imageDetail, { values: ['auto', 'low', 'high'] }),
      },
    }),
  },
});

const call = object(words.toolCalls, {
  template: '{"id":"$1","type":"function","function":{"name":"$2","arguments":"{$3}"}}',
  required: ['id'],
  members: {
    id: text(words.callId),
    type: text(words.toolType, { values: ['function'] }),
    function: object(words.toolFunction, {
      members: { name: text(words.functionName), arguments: text(words.functionArguments) },
    }),
  },
});

/** One of the messages of a chat. */
export const message = object(words.message, {
  template: '{"role":"${1|user,assistant,system,tool|}","content":"$2"}',
  required: ['role'],
  members: {
    role: text(words.role, { values: roles, isClosed: true }),
    content: { kinds: ['string', 'array'], about: words.content, items: part },
    name: text(words.name),
    tool_calls: array(words.toolCalls, { items: call }),
    tool_call_id: text(words.toolCallId),
    reasoning_content: text(words.reasoningContent),
  },
});

const tool = object(words.tool, {
  template:
    '{"type":"function","function":{"name":"$1","description":"$2","parameters":{"type":"object","properties":{$3}}}}',
  required: ['type', 'function'],
  members: {
    type: text(words.toolType, { values: ['function'], isClosed: true }),
    function: object(words.toolFunction, {
      required: ['name'],
      members: {
        name: text(words.functionName, { minLength: 1, maxLength: 64 }),
        description: text(words.functionDescription),
        parameters: object(words.functionParameters, { template: '{"type":"object","properties":{$1}}' }),
        strict: flag(words.strict),
      },
    }),
  },
});

const anyTool: Shape = {
  ...tool,
  required: ['type'],
  members: { type: text(words.toolType, { values: ['function'] }) },
};
const anyToolChoice: Shape = {
  kinds: ['string', 'object'],
  about: words.toolChoice,
  values: ['auto', 'none', 'required'],
  isClosed: true,
};

const responseFormat = object(words.responseFormat, {
  template: '{"type":"${1|json_object,json_schema,text|}"}',
  required: ['type'],
  members: {
    type: text(words.formatType, { values: ['json_object', 'json_schema', 'text'], isClosed: true }),
    json_schema: object(words.jsonSchema, {
      template: '{"name":"$1","schema":{"type":"object","properties":{$2}}}',
      members: { name: text(words.schemaName), schema: object(words.schema), strict: flag(words.strict) },
    }),
  },
});

/** Numbers of the table of parameters, in its order. */
function numberShapes(own: NonNullable<BatchRules['bounds']>): Readonly<Record<NumberAt<'batch'>, Shape>> {
  const shapes = numbersAt('batch').map((name) => {
    const { advised: usual, ...bounds } = acceptedAt('batch', name, { batch: own });
    const { values } = numberField(name);
    const rest = { ...bounds, ...(usual && { usual }), ...(values.length > 0 && { values }) };
    return [name, number(parameterTexts[name], rest)];
  });
  return Object.fromEntries(shapes) as Record<NumberAt<'batch'>, Shape>;
}

const { frequency_penalty, presence_penalty, n, seed, thinking_budget, ...usualNumbers } = numberShapes(
  siliconFlow.bounds ?? {},
);

/** In the order in which they are suggested. The service rejects parameters that are not listed here and values beyond their bounds. */
const body: Readonly<Record<string, Shape>> = {
  model: text(words.model, { isModel: true, minLength: 1 }),
  messages: array(words.messages, { items: message, template: '[{"role":"user","content":"$1"}]' }),
  ...usualNumbers,
  frequency_penalty,
  presence_penalty,
  n,
  seed,
  stop: {
    kinds: ['string', 'array'],
    about: parameterTexts.stop,
    minLength: 1,
    maxItems: parameterTable.stop.at.batch.maxItems,
    items: text(parameterTexts.stop, { minLength: 1 }),
    template: '["$1"]',
  },
  response_format: responseFormat,
  tools: array(words.tools, { items: tool, maxItems: parameterTable.tools.at.batch.maxItems }),
  tool_choice: {
    kinds: ['string', 'object'],
    about: words.toolChoice,
    values: ['auto', 'none', 'required'],
    isClosed: true,
    required: ['function'],
    members: {
      type: text(words.toolType, { values: ['function'] }),
      function: object(words.toolFunction, { required: ['name'], members: { name: text(words.functionName) } }),
    },
  },
  enable_thinking: flag(parameterTexts.enable_thinking),
  thinking_budget,
  stream: { ...flag(words.stream), values: [false, true] },
  stream_options: object(words.streamOptions),
};

/** Returns the shape of a body parameter, or `undefined` if the service doesn't have it. */
export function bodyMember(name: string): Shape | undefined {
  return Object.hasOwn(body, name) ? body[name] : undefined;
}

/** For properties of only some services, of which only the names are known. */
export const anything: Shape = {
  kinds: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  about: () => '',
  template: '$1',
};

/** A property of which only the purpose and some values are known. */
export function described(about: () => string, values?: Shape['values']): Shape {
  return values ? { kinds: anything.kinds, about, values } : { ...anything, about };
}

/** Whether any value is accepted. */
export function takesAnything({ kinds }: Shape): boolean {
  return kinds.length === anything.kinds.length;
}

/** The purposes of OpenAI's chat completion properties that SiliconFlow doesn't have. */
const usualMembers: Readonly<Record<string, Shape>> = {
  max_completion_tokens: described(words.maxTokens),
  reasoning_effort: described(words.effort, ['minimal', 'low', 'medium', 'high']),
  verbosity: described(words.verbosity, ['low', 'medium', 'high']),
  logprobs: described(words.logprobs, [true, false]),
  top_logprobs: described(words.topLogprobs),
  logit_bias: described(words.logitBias),
  parallel_tool_calls: described(words.parallelCalls, [true, false]),
  service_tier: described(words.serviceTier, ['auto', 'default', 'flex', 'priority']),
  metadata: described(words.metadata),
  user: described(words.user),
  store: described(words.store, [true, false]),
};

/** Messages with the roles and the types of parts of a service. */
function messagesAt({ moreRoles = [], partTypes }: BatchRules): Shape {
  const { content } = message.members!;
  const { type } = part.members!;
  const parts = { ...part, members: { ...part.members, type: { ...type!, ...(partTypes && { values: partTypes }) } } };
  const items: Shape = {
    ...message,
    members: {
      ...message.members,
      role: text(words.role, { values: [...roles, ...moreRoles], isClosed: true }),
      content: { ...content!, items: parts },
    },
  };
  return array(words.messages, { items, template: '[{"role":"user","content":"$1"}]' });
}

const bodiesBy = new WeakMap<BatchRules, Shape>();

/** Returns the shape of a chat completion's body at a service: its properties, in the best order to write them, with its bounds. */
export function chatBodyAt(rules: BatchRules): Shape {
  const known = bodiesBy.get(rules);
  if (known) return known;
  const own: Readonly<Record<string, Shape>> = {
    ...body,
    ...numberShapes(rules.bounds ?? {}),
    messages: messagesAt(rules),
    // Other services have tools besides functions, each in another form.
    ...(rules.id !== siliconFlow.id && {
      tools: array(words.tools, { items: anyTool }),
      tool_choice: anyToolChoice,
      stop: { ...body['stop']!, minLength: 0, items: text(parameterTexts.stop) },
    }),
    ...(rules.members && { top_logprobs: number(words.topLogprobs, { integer: true, min: 0, max: 20 }) }),
  };
  // Most services support OpenAI's documented properties in addition to their own.
  const usual = rules.id === siliconFlow.id ? [] : (openAi.members ?? []);
  const names = rules.members ?? new Set([...Object.keys(own), ...usual]);
  const members = Object.fromEntries([...names].map((name) => [name, own[name] ?? usualMembers[name] ?? anything]));
  const { model } = members;
  const shape = object(words.body, {
    members: { ...members, ...(model && { model: { ...model, about: () => aboutModel(rules) } }) },
    isStrict: true,
    required: ['messages'],
    template: '{"model":"$1","messages":[{"role":"user","content":"$2"}]}',
  });
  bodiesBy.set(rules, shape);
  return shape;
}

/** Says what a model is for, and whether all lines have the same one. */
export function aboutModel({ severities }: BatchRules): string {
  return severities['model.mixed'] === 'off' ? words.model() : `${words.model()} ${words.oneModel()}`;
}

/** Whether a property can be `null`, which means that it is omitted. A model can only be omitted together with its name. */
export function isOptionalIn({ members = {}, required = [] }: Shape, name: string): boolean {
  return !required.includes(name) && members[name]?.isModel !== true;
}
