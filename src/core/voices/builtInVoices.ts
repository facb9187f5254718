/** The voices a speech model brings with it. https://docs.siliconflow.com/en/userguide/capabilities/text-to-speech */
export const builtInNames = ['alex', 'anna', 'bella', 'benjamin', 'charles', 'claire', 'david', 'diana'] as const;
export type BuiltInName = (typeof builtInNames)[number];

/** The model whose page lists them; offered while the service's own list is not known. */
const knownModel = 'FunAudioLLM/CosyVoice2-0.5B';

export interface BuiltInVoice {
  readonly model: string;
  readonly name: BuiltInName;
}

/** As a request names it. */
export function builtInUri({ model, name }: BuiltInVoice): string {
  return `${model}:${name}`;
}

/** `undefined` for a URI of a voice style, and for anything else. */
export function toBuiltInVoice(uri: string): BuiltInVoice | undefined {
  const colon = uri.lastIndexOf(':');
  const name = builtInNames.find((known) => known === uri.slice(colon + 1));
  return colon > 0 && name && !isStyleUri(uri) ? { model: uri.slice(0, colon), name } : undefined;
}

export function isStyleUri(uri: string): boolean {
  return uri.startsWith('speech:');
}

/** Those of the models that are offered for speech and known to bring them. */
export function builtInVoices(speechModels: readonly string[]): readonly BuiltInVoice[] {
  const models = speechModels.filter((id) => /CosyVoice2/i.test(id));
  return (speechModels.length === 0 ? [knownModel] : models).flatMap((model) =>
    builtInNames.map((name) => ({ model, name })),
  );
}

/** The models that can speak with a voice: a voice is made for one of them. */
export function modelsOfVoice(own: string | undefined, speechModels: readonly string[]): readonly string[] {
  return own === undefined ? speechModels : [own];
}

/** What a request to speak with a voice names, which for a voice a model brings is that model's own. */
export function voiceFor(uri: string, model: string): string {
  const builtIn = toBuiltInVoice(uri);
  return builtIn ? builtInUri({ model, name: builtIn.name }) : uri;
}
