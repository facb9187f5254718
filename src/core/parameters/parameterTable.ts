import type { Bound, OwnBounds } from '../api/bounds';

/**
 * The requests that have model parameters. `batch` is a chat completion in a batch file, which the service checks more strictly than the
 * same request sent alone, and documents separately. `chat` contains the settings for a chat or in a prompt file: the parameters of
 * messages, and those that go into another property there.
 */
export type Endpoint = 'messages' | 'chatCompletions' | 'completions' | 'batch' | 'chat';

type Advised = NonNullable<Bound['advised']>;

/** The values that an endpoint accepts. */
interface Accepted extends Omit<Bound, 'integer' | 'advised'> {
  readonly advised?: Omit<Advised, 'models'>;
  /** Services usually reject this value and those below it; a warning only. */
  readonly above?: number;
  /** Sent even if the user sets nothing, because the service requires it: the default depends on the model. */
  readonly hasDefault?: true;
}

/** The values that a parameter accepts, if that depends on the model, so that advice can name the models that support it. */
interface AcceptedByModels extends Accepted {
  readonly advised?: Advised;
}

interface AcceptedBy {
  /** Where absent, as for `messages`. */
  readonly chat?: AcceptedByModels;
  readonly messages?: AcceptedByModels;
  readonly chatCompletions?: AcceptedByModels;
  readonly completions?: Accepted;
  readonly batch?: Accepted;
}

export type ParameterGroup = 'length' | 'choice' | 'repetition' | 'tokens';

/** How a number is set on the page for completions; elsewhere it is always a text box. */
export type NumberControl = 'box' | 'seed' | 'slider' | 'probabilities';

interface NumberParameter {
  readonly type: 'number' | 'integer';
  /** Its group on a page with groups. */
  readonly group: ParameterGroup;
  readonly control?: NumberControl;
  /** Values to suggest where one is written. */
  readonly values?: readonly number[];
  readonly refusal?: RegExp;
  readonly at: AcceptedBy;
}

interface OtherParameter {
  /** Its shape is in the schema of the endpoint. */
  readonly type: 'text' | 'texts' | 'flag' | 'object';
  readonly refusal?: RegExp;
  readonly at: AcceptedBy;
}

/**
 * Every parameter of a text generation, under its API name, in display order. Schemas, panels, prompt files, the batch editor, exports, and
 * VS Code's model options read it: a further number is one entry here and its text in `parameterTexts.ts`.
 *
 * Bounds are those of all services as far as known, mostly OpenAI's: beyond the plain ones no request is sent, beyond the advised ones a
 * warning is shown. The public service sets more, see `../profiles/vendorRules.ts`. `refusal` matches the messages with which a service
 * rejects the parameter, if they go beyond its name; see `refusalOf`.
 * https://docs.siliconflow.com/en/api-reference/chat-completions/messages, …/chat-completions and …/completion/create-completion
 */
export const parameterTable = {
  system: {
    type: 'text',
    // "system" alone also occurs in messages about the service itself.
    refusal: /\bsystem[_ -](prompt|message|role|instruction)|[`'"]system[`'"]/i,
    at: { messages: {} },
  },
  max_tokens: {
    type: 'integer',
    group: 'length',
    values: [1024, 4096],
    refusal: /\bmax[_ -]?((new|completion)[_ -]?)?tokens\b/i,
    at: {
      messages: { min: 1, hasDefault: true },
      chatCompletions: { min: 1 },
      completions: { min: 1 },
      batch: { min: 1 },
    },
  },
  temperature: {
    type: 'number',
    group: 'choice',
    values: [0.7, 0, 1],
    at: {
      messages: { min: 0, max: 2 },
      chatCompletions: { min: 0, max: 2 },
      completions: { min: 0, max: 2 },
      batch: { min: 0, max: 2 },
    },
  },
  top_p: {
    type: 'number',
    group: 'choice',
    values: [0.7, 0.9, 1],
    at: {
      messages: { min: 0, max: 1 },
      chatCompletions: { min: 0, max: 1 },
      completions: { min: 0, max: 1 },
      batch: { min: 0, max: 1 },
    },
  },
  top_k: {
    type: 'integer',
    group: 'choice',
    values: [50, 20],
    // -1 means no limit to vLLM. https://docs.vllm.ai/en/v0.6.0/dev/sampling_params.html
    at: { messages: { min: 0 }, chatCompletions: { min: -1 }, completions: { min: -1 }, batch: { min: -1 } },
  },
  min_p: {
    type: 'number',
    group: 'choice',
    values: [0.05],
    at: { chatCompletions: { min: 0, max: 1 }, batch: { min: 0, max: 1 } },
  },
  n: {
    type: 'integer',
    group: 'length',
    values: [1],
    // A single letter occurs in many messages, so it must be quoted or followed by a comparison.
    refusal: /[`'"]n[`'"]|\bn\s*(=|>|must)/,
    at: { chatCompletions: { min: 1 }, completions: { min: 1, max: 128 }, batch: { min: 1, max: 128 } },
  },
  seed: {
    type: 'integer',
    group: 'choice',
    control: 'seed',
    values: [42],
    at: { chatCompletions: {}, completions: {}, batch: {} },
  },
  repetition_penalty: {
    type: 'number',
    group: 'repetition',
    refusal: /\brepeti?tion[_ -]?penalty\b/i,
    // 1 has no effect. https://docs.vllm.ai/en/v0.6.0/dev/sampling_params.html
    at: { completions: { above: 0, advised: { max: 2 } } },
  },
  presence_penalty: {
    type: 'number',
    group: 'repetition',
    control: 'slider',
    values: [0, 0.5],
    // The vendor's reference of chat completions does not list it, but requests of a batch, which go there, may have it.
    at: { chatCompletions: { min: -2, max: 2 }, completions: { min: -2, max: 2 }, batch: { min: -2, max: 2 } },
  },
  frequency_penalty: {
    type: 'number',
    group: 'repetition',
    control: 'slider',
    values: [0, 0.5],
    at: { chatCompletions: { min: -2, max: 2 }, completions: { min: -2, max: 2 }, batch: { min: -2, max: 2 } },
  },
  stop: {
    type: 'texts',
    // "stop" alone is an everyday word.
    refusal: /[`'"]stop[`'"]|\bstop[_ -]?(sequences?|words?|strings?)\b/i,
    at: {
      chatCompletions: { advised: { maxItems: 4 } },
      completions: { advised: { maxItems: 4 } },
      batch: { maxItems: 4 },
    },
  },
  stop_sequences: {
    type: 'texts',
    refusal: /\bstop[_ -]?sequences?\b|[`'"]stop[`'"]/i,
    at: { messages: {} },
  },
  logit_bias: { type: 'object', at: { completions: {} } },
  logprobs: {
    type: 'integer',
    group: 'tokens',
    control: 'probabilities',
    refusal: /\blog[_ -]?prob(s|abilit\w+)?\b/i,
    // https://platform.openai.com/docs/api-reference/completions/create
    at: { completions: { min: 0, advised: { max: 5 } } },
  },
  suffix: {
    type: 'text',
    refusal: /\bsuffix\b|\bfill[- ]in[- ]the[- ]middle\b|\bFIM\b/i,
    at: { completions: {} },
  },
  prefill: {
    type: 'text',
    // Sent as a last assistant message, and rejected as such.
    refusal:
      /\bprefill|\b(last|final) (message|turn|role)\b.*\b(user|assistant)\b|\bend with an? (user|assistant) (message|turn)/i,
    at: { messages: {} },
  },
  response_format: { type: 'object', at: { chatCompletions: {}, batch: {} } },
  tool_choice: { type: 'object', at: { messages: {}, chatCompletions: {}, batch: {} } },
  tools: {
    type: 'object',
    // Messages about a call or its result mention "tool" too, but concern the messages.
    refusal:
      /[`'"]tools[`'"]|\btools\b.*\bsupport|\bsupport\w* (the )?(use of )?(tool|function)|\b(function|tool)[_ -]?call(s|ing)?\b.*\bnot\b/i,
    at: { messages: {}, chatCompletions: { advised: { maxItems: 128 } }, batch: { maxItems: 128 } },
  },
  // Models without this parameter respond with 400, even to false.
  enable_thinking: {
    type: 'flag',
    refusal: /^(?!.*budget).*(\bthinking\b|\breasoning\b|enable[_ -]?thinking|chat_template_kwargs|reasoning_effort)/is,
    at: { chat: {}, chatCompletions: {}, batch: {} },
  },
  thinking_budget: {
    type: 'integer',
    group: 'length',
    values: [4096],
    refusal: /\bthinking[_ -]?budget\b|\bbudget[_ -]?tokens\b|\b(thinking|reasoning)\b.*\bbudget\b/is,
    at: { chat: { min: 1 }, chatCompletions: { min: 1 }, batch: { min: 1 } },
  },
} as const satisfies Readonly<Record<string, NumberParameter | OtherParameter>>;

type Table = typeof parameterTable;

/** The names of the parameters of an endpoint. */
export type ParameterAt<Where extends Endpoint> = Where extends 'chat' ? Having<'chat' | 'messages'> : Having<Where>;

type Having<Where extends Endpoint> = Where extends Endpoint
  ? { [Name in keyof Table]: Table[Name]['at'] extends Readonly<Record<Where, unknown>> ? Name : never }[keyof Table]
  : never;

/** The names of those that are numbers. */
export type NumberAt<Where extends Endpoint> = {
  [Name in ParameterAt<Where>]: Table[Name]['type'] extends 'number' | 'integer' ? Name : never;
}[ParameterAt<Where>];

const entries = Object.entries<NumberParameter | OtherParameter>(parameterTable);

export function parametersAt<Where extends Endpoint>(where: Where): readonly ParameterAt<Where>[] {
  return entries.filter(([, { at }]) => acceptedBy(at, where)).map(([name]) => name as ParameterAt<Where>);
}

export function numbersAt<Where extends Endpoint>(where: Where): readonly NumberAt<Where>[] {
  return entries
    .filter(([, entry]) => acceptedBy(entry.at, where) && isNumber(entry))
    .map(([name]) => name as NumberAt<Where>);
}

function acceptedBy(at: AcceptedBy, where: Endpoint): AcceptedByModels | undefined {
  return where === 'chat' ? (at.chat ?? at.messages) : at[where];
}

function isNumber(entry: NumberParameter | OtherParameter): entry is NumberParameter {
  return entry.type === 'number' || entry.type === 'integer';
}

/** Returns the values that an endpoint accepts for a parameter. `own`: the service's own bounds. */
export function acceptedAt<Where extends Endpoint>(
  where: Where,
  name: ParameterAt<Where>,
  own: OwnBounds = {},
): Accepted & Bound {
  const { type, at }: NumberParameter | OtherParameter = parameterTable[name];
  return { ...(type === 'integer' && { integer: true }), ...acceptedBy(at, where), ...own[where]?.[name] };
}

/** The bounds of all parameters of an endpoint. */
export function boundsAt<Where extends Endpoint>(where: Where): { readonly [Name in ParameterAt<Where>]: Bound } {
  const bounds = parametersAt(where).map((name) => [name, acceptedAt(where, name)]);
  return Object.fromEntries(bounds) as { [Name in ParameterAt<Where>]: Bound };
}

export interface NumberField {
  readonly group: ParameterGroup;
  readonly control: NumberControl;
  readonly values: readonly number[];
}

/** The display of a number in its field. */
export function numberField(name: NumberAt<Endpoint>): NumberField {
  const { group, control = 'box', values = [] }: NumberParameter = parameterTable[name];
  return { group, control, values };
}

/** Returns a pattern for the ways in which services name a parameter they reject. */
export function refusalOf(name: keyof Table): RegExp {
  const { refusal }: NumberParameter | OtherParameter = parameterTable[name];
  return refusal ?? new RegExp(String.raw`\b${name.replaceAll('_', '[_ -]?')}\b`, 'i');
}
