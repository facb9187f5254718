import type { Line } from '../line';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { anything, type Shape } from '../shape';
import { bodyWords as words } from '../words/lineWords';
import type { EndpointKind } from './endpoint';
import { fits } from './fits';
import { openingOf } from './spans';

/** What the body of a request must have at an endpoint. */
interface BodyRule {
  /** One of each list must be there; the first one is named if none is. */
  readonly required: readonly (readonly string[])[];
  /** The members of requests for other endpoints, each with what is written in its place here; empty if nothing is. */
  readonly foreign: Readonly<Record<string, string>>;
  /** Of the members whose form is known. */
  readonly shape: Shape;
}

const about = () => '';
const object = (members: Readonly<Record<string, Shape>>): Shape => ({ kinds: ['object'], about, members });
const text: Shape = { kinds: ['string'], about, minLength: 1 };
const number = (min: number, max?: number): Shape => ({
  kinds: ['number'],
  about,
  min,
  ...(max !== undefined && { max }),
});
const count = (min: number, max?: number): Shape => ({ ...number(min, max), integer: true });
const texts = (maxItems?: number): Shape => ({
  kinds: ['string', 'array'],
  about,
  minLength: 1,
  minItems: 1,
  ...(maxItems !== undefined && { maxItems }),
});
const model: Shape = { kinds: ['string'], about, isModel: true, minLength: 1 };

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
    shape: object({
      model,
      input: texts(),
      max_output_tokens: count(1),
      temperature: number(0, 2),
      top_p: number(0, 1),
    }),
  },
  embeddings: {
    required: [['input']],
    foreign: { messages: 'input', prompt: 'input', texts: 'input' },
    shape: object({ model, input: texts(2048), dimensions: count(1) }),
  },
  completions: {
    required: [['prompt']],
    foreign: { messages: 'prompt', input: 'prompt', max_completion_tokens: 'max_tokens' },
    shape: object({ model, prompt: texts(), max_tokens: count(0), temperature: number(0, 2), top_p: number(0, 1) }),
  },
  moderations: {
    required: [['input']],
    foreign: { messages: 'input', prompt: 'input', max_tokens: '' },
    shape: object({ model, input: texts() }),
  },
  rerank: {
    required: [['query'], ['documents']],
    foreign: { messages: 'query', texts: 'documents' },
    shape: object({ model, documents: { ...texts(), kinds: ['array'] } }),
  },
  images: {
    required: [['prompt']],
    foreign: { messages: 'prompt', input: 'prompt' },
    shape: object({ model, prompt: text }),
  },
  videos: { required: [['prompt']], foreign: { messages: 'prompt', input: 'prompt' }, shape: object({ model }) },
  messages: {
    required: [['messages'], ['max_tokens']],
    foreign: {
      input: 'messages',
      prompt: 'messages',
      max_completion_tokens: 'max_tokens',
      stop: 'stop_sequences',
      response_format: 'output_config',
    },
    shape: object({ model, max_tokens: count(1), temperature: number(0, 1), top_p: number(0, 1), messages: anything }),
  },
};

/** Checks the body of a request for another endpoint than chat completions, whose bodies have rules of their own. */
export function* otherBody(body: JsonNode, { root, kind, rules: { endpoints } }: Line): Iterable<Problem> {
  const rule = rules[kind];
  if (!rule) return;
  const isSet = (name: string) => (member(body, name)?.value.kind ?? 'null') !== 'null';
  const url = member(root, 'url')?.value.value ?? endpoints[0] ?? '';
  for (const { key, keySpan } of body.members) {
    if (!Object.hasOwn(rule.foreign, key) || !isSet(key)) continue;
    const own = isSet(rule.foreign[key] ?? '') ? '' : (rule.foreign[key] ?? '');
    const suggestions = own === '' ? [] : [own];
    yield {
      code: 'body.other-endpoint',
      message: words.otherEndpoint(String(url), key, own),
      span: keySpan,
      suggestions,
    };
  }
  for (const names of rule.required) {
    if (names.some(isSet)) continue;
    yield { code: 'member.missing', message: words.memberMissing(names[0] ?? ''), span: openingOf(body) };
  }
  yield* fits(body, rule.shape, 'body');
}
