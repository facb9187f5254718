import { hashOf, seeded } from '../seeded';

export interface SpeechRequest {
  readonly text: string;
  readonly voice: string;
  readonly sampleRate: number;
  /** 1 is natural. */
  readonly speed: number;
  /** Decibels. */
  readonly gain: number;
}

export interface Sound {
  readonly seconds: number;
  /** Resonances in hertz; empty for noise. */
  readonly formants: readonly number[];
  readonly loudness: number;
  /** Pitch at the start and the end, relative to the voice's own. */
  readonly pitch: readonly [number, number];
}

const vowels: Readonly<Record<string, readonly number[]>> = {
  a: [800, 1250],
  e: [480, 1900],
  i: [300, 2300],
  o: [480, 850],
  u: [330, 720],
  y: [310, 1900],
};
const anyVowel = Object.values(vowels);
const tones: readonly (readonly [number, number])[] = [
  [1.15, 1.15],
  [0.9, 1.2],
  [0.85, 0.9],
  [1.25, 0.8],
  [1, 1],
];
const maxSounds = 600;

export function soundsOf(text: string): readonly Sound[] {
  const sounds: Sound[] = [];
  const letters = Array.from(text.toLowerCase());
  for (const [index, letter] of letters.entries()) {
    const fall = 1.1 - 0.25 * (index / Math.max(1, letters.length));
    const formants = vowels[letter];
    if (formants !== undefined) sounds.push({ seconds: 0.09, formants, loudness: 1, pitch: [fall, fall * 0.97] });
    else if (/\p{Script=Han}/u.test(letter)) {
      const code = hashOf(letter);
      sounds.push({ seconds: 0.03, formants: [], loudness: 0.25, pitch: [1, 1] });
      sounds.push({
        seconds: 0.15,
        formants: anyVowel[code % anyVowel.length] ?? [500, 1500],
        loudness: 1,
        pitch: tones[code % tones.length] ?? [1, 1],
      });
    } else if (/[mnlrwjvzbdg]/.test(letter))
      sounds.push({ seconds: 0.05, formants: [260, 1100], loudness: 0.45, pitch: [fall, fall] });
    else if (/\p{L}/u.test(letter)) sounds.push({ seconds: 0.045, formants: [], loudness: 0.22, pitch: [1, 1] });
    else if (/\p{N}/u.test(letter))
      sounds.push({
        seconds: 0.14,
        formants: anyVowel[Number(letter) % anyVowel.length] ?? [500, 1500],
        loudness: 1,
        pitch: [1.1, 0.95],
      });
    else
      sounds.push({
        seconds: /[.!?。！？\n]/.test(letter) ? 0.26 : /[,;:，；：、]/.test(letter) ? 0.15 : 0.05,
        formants: [],
        loudness: 0,
        pitch: [1, 1],
      });
  }
  return sounds.slice(0, maxSounds);
}

/** Seconds of all sounds and the pause after them. */
export const secondsOf = (sounds: readonly Sound[]): number => sounds.reduce((sum, sound) => sum + sound.seconds, 0.1);

/** The voice's own pitch in hertz. */
export const pitchOf = (voice: string): number => 105 + seeded(hashOf(voice))() * 120;

/** Peaks, from 0 to 1, at a gain in decibels. */
export const levelOf = (gain: number): number => Math.min(1, 0.5 * 10 ** (gain / 20));

/** Creates a resonance of the vocal tract: a two-pole filter. */
function createResonance(frequency: number, sampleRate: number): (input: number) => number {
  const radius = Math.exp((-Math.PI * 90) / sampleRate);
  const turn = 2 * radius * Math.cos((2 * Math.PI * frequency) / sampleRate);
  let [last, before] = [0, 0];
  return (input) => {
    const output = (1 - radius) * input + turn * last - radius * radius * before;
    [before, last] = [last, output];
    return output;
  };
}

/** Generates something between speech and song that follows the text letter by letter; the same request sounds the same. */
export function synthesise({ text, voice, sampleRate, speed, gain }: SpeechRequest): Int16Array {
  const random = seeded(hashOf(voice));
  const pitch = pitchOf(voice);
  const sounds = soundsOf(text);
  const total = Math.ceil(secondsOf(sounds) * (sampleRate / speed));
  const wave = new Float32Array(total);
  let [at, phase] = [0, 0];
  for (const {
    seconds,
    formants,
    loudness,
    pitch: [from, to],
  } of sounds) {
    const length = Math.floor((seconds * sampleRate) / speed);
    const resonances = formants.map((frequency) => createResonance(Math.min(frequency, sampleRate * 0.45), sampleRate));
    for (let step = 0; step < length; step += 1, at += 1) {
      const part = step / length;
      phase += (pitch * (from + (to - from) * part)) / sampleRate;
      const source = resonances.length === 0 ? random() * 2 - 1 : (phase % 1) * 2 - 1;
      const shaped =
        resonances.length === 0 ? source * 0.4 : resonances.reduce((sum, resonance) => sum + resonance(source), 0) * 3;
      wave[at] = shaped * loudness * Math.min(1, part * 8, (1 - part) * 6);
    }
  }
  const peak = wave.reduce((most, value) => Math.max(most, Math.abs(value)), 0.001);
  const level = levelOf(gain) / peak;
  return Int16Array.from(wave, (value) => Math.round(value * level * 32_767));
}
