import type { KnownCapabilities } from './capabilities';

interface TableRow extends KnownCapabilities {
  /** Matched against the id without the vendor, in lower case. */
  readonly model: RegExp;
}

const k = 1024;

/**
 * Public facts about model families, of which the first match applies. Tools come from the vendor's guide on function calling
 * (https://docs.siliconflow.com/en/userguide/guides/function-calling), context and output limits from the models' own pages, image input
 * from their names and pages. If a page gives several figures, the smallest is used. Errors in the table are corrected by learning from the
 * service's rejections.
 */
const table: readonly TableRow[] = [
  // Models that do not answer questions, whatever their family.
  { model: /ocr|guard|hunyuan-mt|translat/, tools: false, images: false, contextTokens: 8 * k, thinking: 'never' },
  { model: /deepseek-vl/, tools: false, images: true, contextTokens: 4 * k, outputTokens: 2 * k, thinking: 'never' },
  { model: /r1-distill/, tools: false, contextTokens: 32 * k, thinking: 'always' },
  { model: /deepseek-r1/, tools: true, contextTokens: 96 * k, outputTokens: 16 * k, thinking: 'always' },
  {
    model: /deepseek-v3\.[1-9]|deepseek-v[4-9]/,
    tools: true,
    contextTokens: 128 * k,
    outputTokens: 16 * k,
    thinking: 'asked',
  },
  { model: /deepseek-v[23]/, tools: true, contextTokens: 64 * k, thinking: 'never' },
  {
    model: /qwen3.*vl.*thinking/,
    tools: true,
    images: true,
    contextTokens: 128 * k,
    outputTokens: 16 * k,
    thinking: 'always',
  },
  { model: /qwen3.*vl/, tools: true, images: true, contextTokens: 128 * k, outputTokens: 16 * k, thinking: 'never' },
  { model: /qwen3-omni/, tools: true, images: true, contextTokens: 64 * k, thinking: 'never' },
  { model: /qwen3.*thinking/, tools: true, contextTokens: 128 * k, outputTokens: 16 * k, thinking: 'always' },
  {
    model: /qwen3-coder|qwen3-next|qwen3.*instruct/,
    tools: true,
    contextTokens: 128 * k,
    outputTokens: 16 * k,
    thinking: 'never',
  },
  { model: /qwen3\.[5-9]/, tools: true, images: true, contextTokens: 128 * k, outputTokens: 16 * k, thinking: 'asked' },
  { model: /qwen3/, tools: true, contextTokens: 128 * k, thinking: 'asked' },
  { model: /qvq/, tools: false, images: true, contextTokens: 32 * k, thinking: 'always' },
  { model: /qwq/, tools: true, contextTokens: 32 * k, thinking: 'always' },
  { model: /qwen2.*vl/, tools: false, images: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /qwen2\.5/, tools: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /qwen2/, tools: false, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /glm-4\.[1-9]v|glm-[5-9]v/, tools: true, images: true, contextTokens: 64 * k, thinking: 'asked' },
  { model: /glm-4\.[6-9]|glm-[5-9]/, tools: true, contextTokens: 198 * k, outputTokens: 16 * k, thinking: 'asked' },
  { model: /glm-4\.5/, tools: true, contextTokens: 128 * k, outputTokens: 16 * k, thinking: 'asked' },
  { model: /glm-z1/, tools: true, contextTokens: 32 * k, outputTokens: 16 * k, thinking: 'always' },
  { model: /glm-4/, tools: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  {
    model: /kimi-k2\.[5-9]|kimi-k[3-9]/,
    tools: true,
    images: true,
    contextTokens: 256 * k,
    outputTokens: 16 * k,
    thinking: 'asked',
  },
  { model: /kimi-k2-thinking/, tools: true, contextTokens: 256 * k, outputTokens: 16 * k, thinking: 'always' },
  { model: /kimi-k2/, tools: true, contextTokens: 128 * k, outputTokens: 16 * k, thinking: 'never' },
  { model: /kimi-dev/, tools: false, contextTokens: 128 * k, thinking: 'always' },
  { model: /minimax-m[2-9]/, tools: true, contextTokens: 192 * k, outputTokens: 16 * k, thinking: 'always' },
  { model: /minimax-m1/, tools: true, contextTokens: 80 * k, outputTokens: 16 * k, thinking: 'always' },
  { model: /gpt-oss/, tools: true, contextTokens: 128 * k, thinking: 'always' },
  { model: /step-?3/, tools: true, images: true, contextTokens: 64 * k, thinking: 'always' },
  { model: /hunyuan-a13b/, tools: true, contextTokens: 128 * k, thinking: 'asked' },
  { model: /ernie-4\.5/, tools: false, contextTokens: 128 * k, thinking: 'never' },
  { model: /seed-oss/, tools: true, contextTokens: 256 * k, thinking: 'asked' },
  { model: /ring-(flash|mini|1t)/, tools: true, contextTokens: 128 * k, thinking: 'always' },
  { model: /ling-(flash|mini|1t)/, tools: true, contextTokens: 128 * k, thinking: 'never' },
  { model: /internlm/, tools: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  {
    model: /llama-?4|llama-?3\.[2-9].*vision/,
    tools: true,
    images: true,
    contextTokens: 128 * k,
    outputTokens: 4 * k,
    thinking: 'never',
  },
  { model: /llama-?3\.[1-9]/, tools: true, contextTokens: 128 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /gemma-?3/, tools: false, images: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /pixtral/, tools: true, images: true, contextTokens: 128 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /mistral|devstral|ministral/, tools: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  // Hosted models that the public service does not have, by their vendors' pages.
  { model: /gpt-5.*chat/, tools: true, images: true, contextTokens: 125 * k, outputTokens: 16 * k, thinking: 'never' },
  { model: /gpt-[5-9]/, tools: true, images: true, contextTokens: 256 * k, outputTokens: 16 * k, thinking: 'always' },
  { model: /gpt-4\.\d/, tools: true, images: true, contextTokens: 976 * k, outputTokens: 16 * k, thinking: 'never' },
  { model: /gpt-4o/, tools: true, images: true, contextTokens: 125 * k, outputTokens: 16 * k, thinking: 'never' },
  { model: /gpt-4-turbo/, tools: true, images: true, contextTokens: 125 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /gpt-4/, tools: true, contextTokens: 8 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /gpt-3\.5/, tools: true, contextTokens: 16_000, outputTokens: 4000, thinking: 'never' },
  { model: /^o[13]-mini/, tools: true, contextTokens: 125 * k, outputTokens: 16 * k, thinking: 'always' },
  { model: /^o[1-9]\b/, tools: true, images: true, contextTokens: 195 * k, outputTokens: 16 * k, thinking: 'always' },
  {
    model: /claude-(3-5|3\.5)/,
    tools: true,
    images: true,
    contextTokens: 195 * k,
    outputTokens: 8 * k,
    thinking: 'never',
  },
  {
    model: /claude-(3-7|3\.7|[a-z]+-([4-9]|\d\d))/,
    tools: true,
    images: true,
    contextTokens: 195 * k,
    outputTokens: 16 * k,
    thinking: 'asked',
  },
  { model: /claude-3/, tools: true, images: true, contextTokens: 195 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /claude/, contextTokens: 100_000, outputTokens: 4 * k },
  {
    model: /gemini-(1|2\.0)/,
    tools: true,
    images: true,
    contextTokens: 976 * k,
    outputTokens: 8 * k,
    thinking: 'never',
  },
  { model: /gemini/, tools: true, images: true, contextTokens: 976 * k, outputTokens: 16 * k, thinking: 'asked' },
  { model: /grok-(3-mini|4)/, tools: true, contextTokens: 125 * k, outputTokens: 16 * k, thinking: 'always' },
  { model: /grok/, tools: true, contextTokens: 125 * k, thinking: 'never' },
  { model: /command-(r|a)\b/, tools: true, contextTokens: 125 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /magistral/, tools: true, contextTokens: 40_000, outputTokens: 16 * k, thinking: 'always' },
  { model: /mixtral|codestral/, tools: true, contextTokens: 32_000, outputTokens: 4 * k, thinking: 'never' },
  { model: /deepseek-reasoner/, tools: true, contextTokens: 64 * k, thinking: 'always' },
  { model: /deepseek-chat/, tools: true, contextTokens: 64 * k, thinking: 'never' },
  { model: /granite-?[34]/, tools: true, contextTokens: 125 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /sonar/, tools: false, contextTokens: 125_000, outputTokens: 4 * k },
  { model: /phi-?[34]/, tools: false, contextTokens: 16_000, outputTokens: 4 * k, thinking: 'never' },
  { model: /gemma/, tools: false, images: false, contextTokens: 8 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /llama-?3/, tools: false, contextTokens: 8 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /llama|vicuna|alpaca/, tools: false, contextTokens: 4 * k, outputTokens: 2 * k, thinking: 'never' },
  // Families that chat, of which the members differ in everything else.
  {
    model:
      /^qwen|^qwq|^deepseek|^glm|^chatglm|^kimi|^moonshot|^minimax|^hunyuan|^ernie|^doubao|^baichuan|^yi-|^nova-(micro|lite|pro|premier)|granite|smollm|olmo|falcon|nemotron|hermes|dolphin|zephyr|starling|solar|jamba|dbrx|wizard|openchat|exaone|\blfm|aya-|command|llava|moondream|minicpm|mimo|tulu|openthinker|cogito|rnj-|trinity/,
  },
  { model: /\bvl\b|vision/, images: true },
];

/** Returns public facts about a model by its name, or `undefined` for an unknown family. */
export function familyOf(model: string): KnownCapabilities | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const found = table.find((row) => row.model.test(name));
  if (!found) return undefined;
  const { model: _model, ...known } = found;
  return known;
}
