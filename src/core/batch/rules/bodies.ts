import type { Line } from '../line';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { parameterTexts } from '../../parameters/parameterTexts';
import { described, type Shape } from '../shape';
import { bodyWords } from '../words/lineWords';
import { memberWords as words } from '../words/memberWords';
import { kindOf, type EndpointKind } from './endpoint';
import { fits, unknownMember } from './fits';
import type { BatchRules } from '../services/batchRules';
import { openAi } from '../services/batchServices';
import { openingOf } from './spans';

/** The requirements for a request's body at an endpoint. */
interface BodyRule {
  /** One of each list must be present. If none is, the first one is named. */
  readonly required: readonly (readonly string[])[];
  /** The properties of requests for other endpoints, each with its replacement here, which can be empty. */
  readonly foreign: Readonly<Record<string, string>>;
  /** The shape of the known properties. */
  readonly shape: Shape;
  /** The names of all other properties, of which only these are known. Unset if not all are known. */
  readonly others?: readonly string[];
}

const wordsIn = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

const object = (members: Readonly<Record<string, Shape>>): Shape => ({ kinds: ['object'], about: words.body, members });
const text = (about: () => string): Shape => ({ kinds: ['string'], about, minLength: 1 });
const number = (about: () => string, min: number, max?: number): Shape => ({
  kinds: ['number'],
  about,
  min,
  ...(max !== undefined && { max }),
});
const count = (about: () => string, min: number, max?: number): Shape => ({
  ...number(about, min, max),
  integer: true,
});
const texts = (about: () => string, maxItems?: number): Shape => ({
  kinds: ['string', 'array'],
  about,
  minLength: 1,
  minItems: 1,
  ...(maxItems !== undefined && { maxItems }),
});
/** A text or several, of which nothing more is known. */
const anyTexts = (about: () => string): Shape => ({ kinds: ['string', 'array'], about });
const model: Shape = { kinds: ['string'], about: words.model, isModel: true, minLength: 1 };
const { temperature: warmth, top_p: probability, top_k: candidates } = parameterTexts;
const sampling = { temperature: number(warmth, 0, 2), top_p: number(probability, 0, 1) };

/** https://platform.openai.com/docs/api-reference and https://docs.anthropic.com/en/api/messages */
const rules: Readonly<Partial<Record<EndpointKind, BodyRule>>> = {
  responses: {
    required: [['input', 'prompt', 'previous_response_id', 'conversation']],
    foreign: {
      messages: 'input',
      max_tokens: 'max_output_tokens',
      max_completion_tokens: 'max_output_tokens',
      response_format: 'text',
      reasoning_effort: 'reasoning',
      functions: 'tools',
    },
    shape: {
      ...object({
        model,
        input: anyTexts(words.input),
        instructions: described(words.instructions),
        max_output_tokens: count(words.maxTokens, 1),
        ...sampling,
        text: described(words.textFormat),
        reasoning: described(words.reasoning),
        tools: described(words.tools),
        tool_choice: described(words.toolChoice),
        previous_response_id: described(words.previousResponse),
        metadata: described(words.metadata),
      }),
      template: '{"model":"$1","input":"$2"}',
    },
    others: wordsIn(
      'background context_management conversation include max_tool_calls moderation parallel_tool_calls prompt',
      'prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier service_tier store stream',
      'stream_options top_logprobs truncation user',
    ),
  },
  embeddings: {
    required: [['input']],
    foreign: { messages: 'input', prompt: 'input', texts: 'input' },
    shape: {
      ...object({
        model,
        input: {
          ...texts(words.toEmbed, 2048),
          items: { kinds: ['string', 'number', 'array', 'object'], about: words.toEmbed, minLength: 1 },
        },
        dimensions: count(words.dimensions, 1),
        encoding_format: described(words.encodingFormat, ['float', 'base64']),
        user: described(words.user),
      }),
      template: '{"model":"$1","input":"$2"}',
    },
    others: [],
  },
  completions: {
    required: [['prompt']],
    foreign: { messages: 'prompt', input: 'prompt', max_completion_tokens: 'max_tokens' },
    shape: {
      ...object({
        model,
        prompt: anyTexts(words.prompt),
        max_tokens: count(parameterTexts.max_tokens, 0),
        ...sampling,
        stop: described(parameterTexts.stop),
        n: described(parameterTexts.n),
        seed: described(parameterTexts.seed),
      }),
      template: '{"model":"$1","prompt":"$2"}',
    },
    others: wordsIn(
      'best_of echo frequency_penalty logit_bias logprobs presence_penalty stream stream_options suffix user',
    ),
  },
  moderations: {
    required: [['input']],
    foreign: { messages: 'input', prompt: 'input', max_tokens: '' },
    shape: { ...object({ model, input: texts(words.toClassify) }), template: '{"model":"$1","input":"$2"}' },
    others: [],
  },
  rerank: {
    required: [['query'], ['documents']],
    foreign: { messages: 'query', texts: 'documents' },
    shape: {
      ...object({
        model,
        query: described(words.query),
        documents: { ...texts(words.documents), kinds: ['array'] },
      }),
      template: '{"model":"$1","query":"$2","documents":["$3"]}',
    },
  },
  images: {
    required: [['prompt']],
    foreign: { messages: 'prompt', input: 'prompt' },
    shape: { ...object({ model, prompt: text(words.toGenerate) }), template: '{"model":"$1","prompt":"$2"}' },
  },
  videos: {
    required: [['prompt']],
    foreign: { messages: 'prompt', input: 'prompt' },
    shape: { ...object({ model, prompt: described(words.toGenerate) }), template: '{"model":"$1","prompt":"$2"}' },
  },
  messages: {
    required: [['messages'], ['max_tokens']],
    foreign: {
      input: 'messages',
      prompt: 'messages',
      max_completion_tokens: 'max_tokens',
      stop: 'stop_sequences',
      response_format: 'output_config',
    },
    shape: {
      ...object({
        model,
        max_tokens: count(words.maxTokens, 1),
        messages: { ...described(words.messages), template: '[{"role":"user","content":"$1"}]' },
        system: described(words.instructions),
        temperature: number(warmth, 0, 1),
        top_p: number(probability, 0, 1),
        top_k: described(candidates),
        stop_sequences: described(parameterTexts.stop_sequences),
        thinking: described(words.thinking),
        tools: described(words.tools),
        tool_choice: described(words.toolChoice),
        metadata: described(words.metadata),
      }),
      template: '{"model":"$1","max_tokens":${2:1024},"messages":[{"role":"user","content":"$3"}]}',
    },
    others: wordsIn(
      'anthropic_beta anthropic_version betas cache_control container context_management fallbacks inference_geo',
      'mcp_servers output_config output_format service_tier speed stream user_profile_id',
    ),
  },
};

/** Returns the shape of the body of a request for another endpoint than chat completions; `undefined` if it isn't known. */
export function otherBodyShape(kind: EndpointKind): Shape | undefined {
  return rules[kind]?.shape;
}

/** Returns the names of all properties at an endpoint if the service has its documented ones only. */
function namesOf({ shape, others }: BodyRule, { members, line }: BatchRules): readonly string[] | undefined {
  const isComplete = members !== undefined || line === 'params';
  return others && isComplete ? [...Object.keys(shape.members ?? {}), ...others] : undefined;
}

/** Checks the body of a request for another endpoint than chat completions, which have separate rules. */
export function* otherBody(body: JsonNode, { root, kind, rules: service }: Line): Iterable<Problem> {
  const rule = rules[kind];
  if (!rule) return;
  const { endpoints } = service;
  const isSet = (name: string) => (member(body, name)?.value.kind ?? 'null') !== 'null';
  const url = member(root, 'url')?.value.value ?? endpoints.find((one) => kindOf(one) === kind) ?? endpoints[0] ?? '';
  const names = namesOf(rule, service);
  for (const one of body.members) {
    const { key, keySpan } = one;
    if (!Object.hasOwn(rule.foreign, key)) {
      const isOfChats = openAi.members?.includes(key) === true;
      if (!names || names.includes(key) || !isSet(key)) continue;
      if (isOfChats) {
        yield { code: 'body.other-endpoint', message: bodyWords.otherEndpoint(String(url), key, ''), span: keySpan };
      } else yield unknownMember(one, names, service);
      continue;
    }
    if (!isSet(key)) continue;
    const own = isSet(rule.foreign[key] ?? '') ? '' : (rule.foreign[key] ?? '');
    const suggestions = own === '' ? [] : [own];
    yield {
      code: 'body.other-endpoint',
      message: bodyWords.otherEndpoint(String(url), key, own),
      span: keySpan,
      suggestions,
    };
  }
  for (const names of rule.required) {
    if (names.some(isSet)) continue;
    yield { code: 'member.missing', message: bodyWords.memberMissing(names[0] ?? ''), span: openingOf(body) };
  }
  yield* fits(body, rule.shape, 'body');
}
