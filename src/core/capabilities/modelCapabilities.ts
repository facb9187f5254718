import { defaultMaxTokens } from '../api/messages/messages.bounds';
import type { ListedModel } from '../catalogue/model';
import type { Capabilities, KnownCapabilities, CapabilitySetting } from './capabilities';
import { settingFor } from './capabilities';

/** Values for an unknown model: a small context, so that nothing too long is sent, and no tools, which many models refuse. */
const unknownModel = { tools: false, images: false, contextTokens: 32_768, thinking: 'never' } as const;

/** With less, no model is of use for a chat. */
const fewestTokens = 256;

interface CapabilitySources {
  /** Set by the user; overrides everything else. */
  readonly setting?: KnownCapabilities | undefined;
  /** What the model was seen to refuse. */
  readonly lesson?: KnownCapabilities | undefined;
  /** What the service's model list says. */
  readonly listed?: Pick<KnownCapabilities, 'contextTokens' | 'outputTokens'> | undefined;
}

/** Returns each capability from the most reliable source that states it; leaves out what no source states. */
function knownOf(model: string, { setting, lesson, listed }: CapabilitySources = {}): KnownCapabilities {
  const said = (source: KnownCapabilities = {}) => Object.entries(source).filter(([, value]) => value !== undefined);
  return Object.fromEntries([tableEntry(model), listed, lesson, setting].flatMap(said));
}

/** Fills the gaps with defaults; an answer never takes more than half of the context. */
export function capabilitiesOf(model: string, sources: CapabilitySources = {}): Capabilities {
  const known = knownOf(model, sources);
  const contextTokens = Math.max(known.contextTokens ?? unknownModel.contextTokens, 2 * fewestTokens);
  const outputTokens = known.outputTokens ?? defaultMaxTokens(model);
  return {
    tools: known.tools ?? unknownModel.tools,
    images: known.images ?? unknownModel.images,
    contextTokens,
    outputTokens: Math.max(fewestTokens, Math.min(outputTokens, Math.floor(contextTokens / 2))),
    thinking: known.thinking ?? unknownModel.thinking,
  };
}

/** Returns what is known of a listed model; the user's setting overrides everything else. */
export function listedCapabilities(
  { id, contextLength, maxOutputTokens }: ListedModel,
  setting: CapabilitySetting,
): KnownCapabilities {
  const listed = { contextTokens: contextLength, outputTokens: maxOutputTokens };
  return knownOf(id, { setting: settingFor(id, setting), listed });
}

interface TableRow extends KnownCapabilities {
  /** Matched against the id without the vendor, in lower case. */
  readonly model: RegExp;
}

const k = 1024;

/**
 * What is publicly known about model families; the first match applies. Tools come from the vendor's guide on function calling
 * (https://docs.siliconflow.com/en/userguide/guides/function-calling), context and output limits from the models' own pages, image
 * input from their names and pages. Where a page gives several figures, the smallest is used. Errors in the table are corrected by
 * what the service's refusals teach.
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
    model: /llama-4|llama-3\.[2-9].*vision/,
    tools: true,
    images: true,
    contextTokens: 128 * k,
    outputTokens: 4 * k,
    thinking: 'never',
  },
  { model: /llama-3\.[1-9]/, tools: true, contextTokens: 128 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /gemma-3/, tools: false, images: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /pixtral/, tools: true, images: true, contextTokens: 128 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /mistral|devstral|ministral/, tools: true, contextTokens: 32 * k, outputTokens: 4 * k, thinking: 'never' },
  { model: /\bvl\b|vision/, images: true },
];

/** `undefined` for a model of an unknown family. */
function tableEntry(model: string): KnownCapabilities | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const found = table.find((row) => row.model.test(name));
  if (!found) return undefined;
  const { model: _model, ...known } = found;
  return known;
}
