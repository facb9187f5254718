import { defaultMaxTokens } from '../api/messages/messages.bounds';
import type { CatalogueModel } from '../catalogue/model';
import type { Capabilities, KnownCapabilities, CapabilitySetting } from './capabilities';
import { settingFor } from './capabilities';
import { familyOf } from './modelFamilies';

/** Values for an unknown model: a small context, so that nothing too long is sent, and no tools, which many models refuse. */
const unknownModel = { tools: false, images: false, contextTokens: 32_768, thinking: 'never' } as const;

/** With less, no model is of use for a chat. */
const fewestTokens = 256;

interface CapabilitySources {
  /** Set by the user; overrides everything else. */
  readonly setting?: KnownCapabilities | undefined;
  /** What the model was seen to refuse. */
  readonly learned?: KnownCapabilities | undefined;
  /** What the service's model list says. */
  readonly listed?: CatalogueModel | undefined;
}

/** Returns each capability from the most reliable source that states it; leaves out what no source states. */
function knownOf(model: string, { setting, learned, listed }: CapabilitySources = {}): KnownCapabilities {
  const known = (source: KnownCapabilities = {}) => Object.entries(source).filter(([, value]) => value !== undefined);
  const family = familyOf(model);
  return Object.fromEntries([family, listed && ofList(listed, family), learned, setting, listed?.own].flatMap(known));
}

/** A list says whether a model thinks, not whether that can be turned off. */
function ofList(
  { contextLength, maxOutputTokens, tools, images, reasoning }: CatalogueModel,
  family: KnownCapabilities | undefined,
): KnownCapabilities {
  const thinks = family?.thinking === 'always' ? 'always' : 'asked';
  return {
    contextTokens: contextLength,
    outputTokens: maxOutputTokens,
    tools,
    images,
    thinking: reasoning === undefined ? undefined : reasoning ? thinks : 'never',
  };
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
export function listedCapabilities(model: CatalogueModel, setting: CapabilitySetting): KnownCapabilities {
  return knownOf(model.id, { setting: settingFor(model.id, setting), listed: model });
}
