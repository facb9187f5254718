import type { Voice } from '../api/voices/voices.schema';

/** What tells a voice that was sent from all others. */
export interface SentVoice {
  readonly name: string;
  readonly text: string;
  readonly model: string;
  /** Whose account it was sent to. */
  readonly profileId: string;
  /** The URIs of all voices there were before it was sent. */
  readonly before: readonly string[];
}

/** The voices that go by a name, also where only the case of letters differs: people cannot tell them apart. */
export function voicesNamed(name: string, voices: readonly Voice[]): readonly Voice[] {
  const wanted = fold(name);
  return voices.filter(({ customName }) => customName !== undefined && fold(customName) === wanted);
}

/** The voice that came of what was sent, where its answer was lost. `undefined`: it did not come, or it cannot be told which it is. */
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

function fold(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
