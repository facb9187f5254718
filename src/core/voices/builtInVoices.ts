/** The built-in voices of models of the public service. https://docs.siliconflow.com/en/userguide/capabilities/text-to-speech */
export const builtInNames = ['alex', 'anna', 'bella', 'benjamin', 'charles', 'claire', 'david', 'diana'] as const;

/** Those of OpenAI's models, which OpenRouter has too. https://platform.openai.com/docs/guides/text-to-speech */
const openAiNames: readonly string[] = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
];

export interface BuiltInVoice {
  readonly model: string;
  readonly name: string;
}

/** Returns the names of the voices that a model is known to have. */
function namesOf(model: string): readonly string[] {
  if (/CosyVoice2/i.test(model)) return builtInNames;
  return isOpenAi(model) ? openAiNames : [];
}

function isOpenAi(model: string): boolean {
  return /(^|\/)(gpt-[\w.-]*tts|tts-1)/i.test(model);
}

/** Returns the voice's URI here: in a request it is that of `voiceFor`. */
export function builtInUri({ model, name }: BuiltInVoice): string {
  return `${model}:${name}`;
}

/** `undefined` for the URI of a custom voice, and for anything else. */
export function toBuiltInVoice(uri: string): BuiltInVoice | undefined {
  const colon = uri.lastIndexOf(':');
  const [model, name] = [uri.slice(0, Math.max(0, colon)), uri.slice(colon + 1)];
  const isKnown = namesOf(model).includes(name) || builtInNames.some((known) => known === name);
  return model !== '' && isKnown && !isStyleUri(uri) ? { model, name } : undefined;
}

export function isStyleUri(uri: string): boolean {
  return uri.startsWith('speech:');
}

/** The documented voices of models, for a model list without any for speech. */
export const documentedModels = {
  vendor: 'FunAudioLLM/CosyVoice2-0.5B',
  /** Its list has models for text only. */
  openrouter: 'openai/gpt-4o-mini-tts',
} as const;

/** Returns the built-in voices of those speech models that are known to have them. */
export function builtInVoices(speechModels: readonly string[]): readonly BuiltInVoice[] {
  return speechModels.flatMap((model) => namesOf(model).map((name) => ({ model, name })));
}

/** Returns the speech models that have a built-in voice. */
export function modelsWith({ name }: BuiltInVoice, speechModels: readonly string[]): readonly string[] {
  return speechModels.filter((model) => namesOf(model).includes(name));
}

/** Returns the models that can speak with a voice: a custom voice was created for one of them. */
export function modelsOfVoice(own: string | undefined, speechModels: readonly string[]): readonly string[] {
  return own === undefined ? speechModels : [own];
}

/** Returns what to send for a voice; for a built-in voice, that of the requested model. OpenAI's are sent by name alone. */
export function voiceFor(uri: string, model: string): string {
  const builtIn = toBuiltInVoice(uri);
  if (!builtIn) return uri;
  return isOpenAi(model) ? builtIn.name : builtInUri({ model, name: builtIn.name });
}

/** Returns the URI of the voice that a request names. */
export function uriOfVoice({ voice, model }: { readonly voice: string; readonly model: string }): string {
  return isOpenAi(model) && openAiNames.includes(voice) ? builtInUri({ model, name: voice }) : voice;
}
