import { defaultMaxTokens } from '../api/messages/messages.bounds';
import type { Capabilities, KnownCapabilities } from './capabilities';
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

/** What is known of a model, the surest source first; an answer is never longer than the context allows. */
export function capabilitiesOf(model: string, { setting, lesson, listed }: CapabilitySources = {}): Capabilities {
  const shipped = tableEntry(model);
  const sources: readonly (KnownCapabilities | undefined)[] = [setting, lesson, listed, shipped];
  const pick = <Name extends keyof Capabilities>(name: Name): Capabilities[Name] | undefined =>
    sources.find((source) => source?.[name] !== undefined)?.[name];
  const contextTokens = Math.max(pick('contextTokens') ?? unknownModel.contextTokens, 2 * fewestTokens);
  const outputTokens = pick('outputTokens') ?? defaultMaxTokens(model);
  return {
    tools: pick('tools') ?? unknownModel.tools,
    images: pick('images') ?? unknownModel.images,
    contextTokens,
    outputTokens: Math.max(fewestTokens, Math.min(outputTokens, Math.floor(contextTokens / 2))),
    thinking: pick('thinking') ?? unknownModel.thinking,
  };
}
