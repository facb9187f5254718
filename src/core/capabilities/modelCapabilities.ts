import { defaultMaxTokens } from '../api/messages/messages.bounds';
import type { ListedModel } from '../catalogue/model';
import type { Capabilities, KnownCapabilities } from './capabilities';
import { settingFor } from './capabilitySetting';
import type { CapabilitySetting } from './capabilitySetting';
import { tableEntry } from './capabilityTable';

/** Of a model nobody knows: small, so that nothing is sent that does not fit; without tools, which many refuse. */
const unknownModel = { tools: false, images: false, contextTokens: 32_768, thinking: 'never' } as const;

/** Below it no model is of use to a chat. */
const fewestTokens = 256;

export interface CapabilitySources {
  /** By the person; it overrules all else. */
  readonly setting?: KnownCapabilities | undefined;
  /** What the model was seen to refuse. */
  readonly lesson?: KnownCapabilities | undefined;
  /** What the service's list says. */
  readonly listed?: Pick<KnownCapabilities, 'contextTokens' | 'outputTokens'> | undefined;
}

/** What is known of a model, of each thing what the surest source says. What nobody says is left out. */
function knownOf(model: string, { setting, lesson, listed }: CapabilitySources = {}): KnownCapabilities {
  const said = (source: KnownCapabilities = {}) => Object.entries(source).filter(([, value]) => value !== undefined);
  return Object.fromEntries([tableEntry(model), listed, lesson, setting].flatMap(said));
}

/** The same, with a guess for what is not known; an answer is never longer than the context allows. */
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

/** What is known of a model of the list; the person's setting overrules all else. */
export function listedCapabilities(
  { id, contextLength, maxOutputTokens }: ListedModel,
  setting: CapabilitySetting,
): KnownCapabilities {
  const listed = { contextTokens: contextLength, outputTokens: maxOutputTokens };
  return knownOf(id, { setting: settingFor(id, setting), listed });
}
