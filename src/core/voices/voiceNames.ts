import { foldText } from '../../protocol/formats';
import type { Voice } from '../api/voices/voices.schema';

/** The properties that identify an uploaded voice among all others. */
export interface SentVoice {
  readonly name: string;
  readonly text: string;
  readonly model: string;
  /** The account it was uploaded to. */
  readonly profileId: string;
  /** The URIs of all voices that existed before the upload. */
  readonly before: readonly string[];
}

/** Returns the voices with a name, ignoring case, because people can't distinguish such names. */
export function voicesNamed(name: string, voices: readonly Voice[]): readonly Voice[] {
  const folded = foldText(name).trim();
  return voices.filter(({ customName }) => customName !== undefined && foldText(customName).trim() === folded);
}

/** Returns the uploaded voice if its response was lost. `undefined` if it was not created, or if several voices could be it. */
export function findSent({ name, text, model, before }: SentVoice, voices: readonly Voice[]): Voice | undefined {
  const fresh = voices.filter(
    (voice) =>
      !before.includes(voice.uri) &&
      voice.customName === name &&
      (voice.text === undefined || voice.text === text) &&
      (voice.model === undefined || voice.model === model),
  );
  return fresh.length === 1 ? fresh[0] : undefined;
}
