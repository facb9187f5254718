import type { SpeechRequest } from '../api/speech/speech.schema';
import type { Asset, Recipe } from '../assets/recipe';
import { voiceFor } from './builtInVoices';

export type SpeechRecipe = Extract<Recipe, { readonly kind: 'speech' }>;
export type SpeechAsset = Asset & { readonly recipe: SpeechRecipe };

export function isSpeechAsset(asset: Asset): asset is SpeechAsset {
  return asset.recipe.kind === 'speech';
}

/** Returns the speech generated with a voice, in the order of the assets; for a built-in voice, with any of its models. */
export function takesOf(assets: readonly Asset[], uri: string): readonly SpeechAsset[] {
  return assets
    .filter(isSpeechAsset)
    .filter(({ recipe: { request } }) => request.voice === uri || request.voice === voiceFor(uri, request.model));
}

/** Whether both requests generate the same speech: streaming makes no difference. */
export function isSameSpeech(one: SpeechRequest, other: SpeechRequest): boolean {
  const names = ['model', 'voice', 'input', 'response_format', 'sample_rate', 'speed', 'gain'] as const;
  return names.every((name) => (one[name] ?? undefined) === (other[name] ?? undefined));
}
