import { defaultMaxTokens } from '../api/messages/messages.bounds';
import type { ListedModel } from '../catalogue/model';
import type { Capabilities, KnownCapabilities } from './capabilities';
import { settingFor } from './capabilitySetting';
import type { CapabilitySetting } from './capabilitySetting';
import { tableEntry } from './capabilityTable';

/** Values for an unknown model: a small context, so that nothing too long is sent, and no tools, which many models refuse. */
const unknownModel = { tools: false, images: false, contextTokens: 32_768, thinking: 'never' } as const;

/** With less, no model is of use for a chat. */
const fewestTokens = 256;

export interface CapabilitySources {
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
