/** The built-in voices of speech models. https://docs.siliconflow.com/en/userguide/capabilities/text-to-speech */
export const builtInNames = ['alex', 'anna', 'bella', 'benjamin', 'charles', 'claire', 'david', 'diana'] as const;
export type BuiltInName = (typeof builtInNames)[number];

/** The model whose documentation lists them; offered while the service's own model list is unknown. */
const knownModel = 'FunAudioLLM/CosyVoice2-0.5B';

export interface BuiltInVoice {
  readonly model: string;
  readonly name: BuiltInName;
}

/** Returns the voice's URI in a request. */
export function builtInUri({ model, name }: BuiltInVoice): string {
  return `${model}:${name}`;
}

/** `undefined` for the URI of a custom voice, and for anything else. */
export function toBuiltInVoice(uri: string): BuiltInVoice | undefined {
  const colon = uri.lastIndexOf(':');
  const name = builtInNames.find((known) => known === uri.slice(colon + 1));
  return colon > 0 && name && !isStyleUri(uri) ? { model: uri.slice(0, colon), name } : undefined;
}

export function isStyleUri(uri: string): boolean {
  return uri.startsWith('speech:');
}

/** Returns the built-in voices of those speech models that are known to have them. */
export function builtInVoices(speechModels: readonly string[]): readonly BuiltInVoice[] {
  const models = speechModels.filter((id) => /CosyVoice2/i.test(id));
  return (speechModels.length === 0 ? [knownModel] : models).flatMap((model) =>
    builtInNames.map((name) => ({ model, name })),
  );
}

/** Returns the models that can speak with a voice: a custom voice was created for one of them. */
export function modelsOfVoice(own: string | undefined, speechModels: readonly string[]): readonly string[] {
  return own === undefined ? speechModels : [own];
}

/** Returns the URI to send for a voice; for a built-in voice, that of the requested model. */
export function voiceFor(uri: string, model: string): string {
  const builtIn = toBuiltInVoice(uri);
  return builtIn ? builtInUri({ model, name: builtIn.name }) : uri;
}
