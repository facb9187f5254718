import * as l10n from '@vscode/l10n';
import type { EvalProvider } from '../evalConfig';
import { scriptOf } from './assertions';
import { numberOf, textOf, valueOf } from './configTree';
import type { ConfigNode } from './configTree';

interface ProviderReading {
  readonly provider: EvalProvider;
  readonly marks: readonly { readonly place: ConfigNode; readonly mark: string }[];
  readonly notes: readonly { readonly place: ConfigNode; readonly message: string }[];
}

/** Vendors of models that are reached by a request for a chat. The rest of the ID is the model. */
const vendors: ReadonlySet<string> = new Set(
  'openai openrouter anthropic deepseek google vertex azure azureopenai mistral groq xai perplexity together togetherai fireworks siliconflow cerebras cohere ollama localai llama vllm litellm github huggingface bedrock databricks alibaba dashscope qwen moonshot zhipu hyperbolic nscale aimlapi cloudflare-ai helicone'.split(
    ' ',
  ),
);
/** Names that can be between the vendor and the model. */
const apis: ReadonlySet<string> = new Set([
  'chat',
  'messages',
  'completion',
  'completions',
  'responses',
  'text-generation',
]);
/** Requests other than chats. */
const otherApis: ReadonlySet<string> = new Set(
  'embedding embeddings image moderation realtime assistant transcription tts speech video'.split(' '),
);
const scriptPrefix = /^(?:exec|python|golang|ruby|package):/;
/** Members of a config that are code for HTTP providers. */
const codeMembers = ['transformRequest', 'transformResponse', 'responseParser', 'validateStatus', 'sessionParser'];
/** Never used: a key goes only to the origin of its account. */
const redirecting: ReadonlySet<string> = new Set([
  'apiBaseUrl',
  'apiHost',
  'apiKey',
  'apiKeyEnvar',
  'headers',
  'organization',
  'url',
]);
/** Members of a config that are parameters of a request. */
export const parameterNames: ReadonlySet<string> = new Set(
  'temperature max_tokens max_completion_tokens top_p top_k min_p seed stop frequency_penalty presence_penalty response_format tools tool_choice reasoning_effort enable_thinking thinking_budget n'.split(
    ' ',
  ),
);

/** Returns the parameters of requests in a config. Others, such as `model`, would change the comparison or the destination. */
export function parametersOf(config: ConfigNode | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Array.from(config?.entries ?? [])
      .filter(([name]) => parameterNames.has(name))
      .map(([name, value]) => [name, valueOf(value)]),
  );
}

/** The price of a token, as promptfoo reads it: `cost` for each, or one price for the input and one for the output. */
function pricesIn(config: ConfigNode | undefined): EvalProvider['prices'] {
  const [cost, input, output] = ['cost', 'inputCost', 'outputCost'].map((name) => {
    const price = numberOf(config?.entries?.get(name));
    return price === undefined || price < 0 ? undefined : price;
  });
  const prices = { input: input ?? cost, output: output ?? cost };
  return prices.input === undefined && prices.output === undefined ? undefined : prices;
}

/** Reads a provider: an ID, an object with `id`, or one with the ID as its only name. Returns `undefined` without an ID. */
export function readProvider(node: ConfigNode): ProviderReading | undefined {
  const [onlyName, onlyValue] = [...(node.entries ?? [])][0] ?? [];
  const isNamed = node.entries?.size === 1 && onlyName !== 'id' && onlyValue?.entries !== undefined;
  const id = (isNamed ? onlyName : (textOf(node) ?? textOf(node.entries?.get('id'))))?.trim();
  if (id === undefined || id === '') return undefined;
  const details = isNamed ? onlyValue.entries : node.entries;
  const config = details?.get('config');
  const label = textOf(details?.get('label')) ?? id;
  const isScript =
    scriptPrefix.test(id) ||
    (id.startsWith('file://') && scriptOf(id) !== undefined) ||
    /^[./\w-]+\.(?:[cm]?[jt]s|py)$/.test(id);
  const marks = codeMembers.flatMap((name) => {
    const place = config?.entries?.get(name);
    if (!place || place.scalar === null) return [];
    const isFile = textOf(place)?.startsWith('file://') ?? false;
    return [{ place, mark: `http-${name}${isFile ? '(file)' : ''}` }];
  });
  const own = Array.from(config?.entries?.entries() ?? []).filter(([name]) => redirecting.has(name));
  const [vendor = '', ...rest] = id.split(':');
  const isChat = !isScript && vendors.has(vendor) && rest.length > 0 && !(rest.length > 1 && otherApis.has(rest[0]!));
  const kind = id === 'echo' ? 'echo' : isChat ? 'service' : 'none';
  const model = (apis.has(rest[0] ?? '') && rest.length > 1 ? rest.slice(1) : rest).join(':');
  const notes = [
    ...own.map(([name, place]) => ({
      place,
      message: l10n.t("{0} isn't used. Requests are sent only to your account.", name),
    })),
    ...(kind === 'none' && !isScript
      ? [{ place: node, message: l10n.t("Inference Desk doesn't support {0}. Choose one of your models.", id) }]
      : []),
  ];
  const only = details?.get('prompts')?.items?.map((one) => textOf(one) ?? '');
  const transform = details?.get('transform');
  const prices = pricesIn(config);
  return {
    provider: {
      label,
      kind,
      model: kind === 'service' ? model : id,
      parameters: parametersOf(config),
      ...(only && only.length > 0 && { prompts: only }),
      ...(prices && { prices }),
    },
    marks: [
      ...(isScript ? [{ place: node, mark: 'provider-file' }] : []),
      ...marks,
      ...(transform && transform.scalar !== null ? [{ place: transform, mark: 'transform' }] : []),
    ],
    notes,
  };
}
