import { hashOf, seeded } from '../seeded';
import { type Sound, type SpeechRequest, levelOf, pitchOf, secondsOf, soundsOf } from './synthesise';

/** The samples of a granule, of which a frame has two, and the lines of its spectrum. */
const granuleSize = 576;
const bitsPerSecond = 32_000;
/**
 * One step below the gain at which a single line is a tone of full loudness, which is exceeded where sounds change. Four steps double it.
 */
const fullGain = 209;

interface Granule {
  /** The lines that sound, by number: 1 or -1. */
  readonly lines: ReadonlyMap<number, number>;
  readonly gain: number;
}

const silence: Granule = { lines: new Map(), gain: 0 };

/**
 * Generates an MP3 of the sounds that `synthesise` makes, reduced to tones and hiss: an encoder would be far larger than this, which only
 * writes down which lines of the spectrum sound. The text is in its tag.
 */
export function speakMp3(request: SpeechRequest): Buffer {
  const { sampleRate } = request;
  const granules = granulesOf(request);
  const size = (granuleSize * 2 * bitsPerSecond) / 8 / sampleRate;
  const frames: Buffer[] = [];
  for (let number = 0; number * 2 < granules.length; number += 1) {
    const bytes = Math.floor((number + 1) * size) - Math.floor(number * size);
    // No private bit, mono, original.
    const head = 0xff_fb_10_c4 + (sampleRate === 32_000 ? 0x800 : 0) + (bytes > size ? 0x200 : 0);
    frames.push(frameOf(head, bytes, [granules[number * 2] ?? silence, granules[number * 2 + 1] ?? silence]));
  }
  return Buffer.concat([tagOf(request.text), ...frames]);
}

function granulesOf({ text, voice, sampleRate, speed, gain }: SpeechRequest): readonly Granule[] {
  const random = seeded(hashOf(voice));
  const sounds = soundsOf(text);
  const step = (granuleSize / sampleRate) * speed;
  const granules: Granule[] = [];
  let [index, start] = [0, 0];
  for (let time = step / 2; time < secondsOf(sounds); time += step) {
    for (; start + (sounds[index]?.seconds ?? Infinity) <= time; index += 1) start += sounds[index]?.seconds ?? 0;
    const sound = sounds[index] ?? { seconds: 1, formants: [], loudness: 0, pitch: [1, 1] };
    const part = (time - start) / sound.seconds;
    const amplitude = sound.loudness * Math.min(1, part * 8, (1 - part) * 6) * levelOf(gain);
    const lines = new Map<number, number>();
    for (const hertz of amplitude < 0.002 ? [] : tonesOf(sound, part, pitchOf(voice), random)) {
      const line = Math.floor((hertz * granuleSize * 2) / sampleRate);
      // The phase of a tone in the middle of a line advances by so much from granule to granule.
      lines.set(line, Math.cos(Math.PI * ((line + 0.5) * granules.length + 0.25)) < 0 ? -1 : 1);
    }
    // Even if all of them coincide, they are no louder than that.
    const steps = 4 * Math.log2(amplitude / lines.size);
    granules.push(lines.size === 0 ? silence : { lines, gain: Math.floor(fullGain + steps) });
  }
  return granules;
}

/** Returns the frequencies that are heard of a sound: the harmonics near its resonances, or hiss. */
function tonesOf({ formants, pitch: [from, to] }: Sound, part: number, pitch: number, random: () => number) {
  if (formants.length === 0) return Array.from({ length: 16 }, () => 2000 + 3000 * random());
  const root = pitch * (from + (to - from) * part);
  const harmonics = Array.from({ length: Math.floor(3000 / root) }, (_, index) => root * (index + 1));
  return harmonics.filter((hertz, index) => index === 0 || formants.some((peak) => Math.abs(peak - hertz) < 150));
}

const bits = (value: number, count: number): string => value.toString(2).padStart(count, '0');

/** One frame at 32 kbit/s that needs no other: its side information, then the code of its lines, then zeros. */
function frameOf(head: number, bytes: number, granules: readonly Granule[]): Buffer {
  // No part of this frame is in an earlier one, and no scale factors are shared.
  let side = bits(0, 18);
  let main = '';
  for (const { lines, gain } of granules) {
    const pairs =
      lines.size === 0 ? 0 : ([...lines.keys()].reduce((most, one) => Math.max(most, one), -Infinity) >> 1) + 1;
    const code = Array.from({ length: pairs }, (_, pair) => pairCode(lines.get(pair * 2), lines.get(pair * 2 + 1)));
    main += code.join('');
    // No scale factors, a long block, the first code table in all three regions, which end at bands 8 and 16.
    side += bits(code.join('').length, 12) + bits(pairs, 9) + bits(gain, 8) + bits(0, 5);
    side += bits(1, 5).repeat(3) + bits(7, 4) + bits(7, 3) + bits(0, 3);
  }
  const frame = Buffer.alloc(bytes);
  frame.writeUInt32BE(head);
  for (const [index, byte] of ((side + main).match(/.{1,8}/g) ?? []).entries())
    frame[index + 4] = Number.parseInt(byte.padEnd(8, '0'), 2);
  return frame;
}

/** The first code table, and the signs of what is not zero. */
function pairCode(first = 0, second = 0): string {
  const signs = [first, second].map((line) => (line === 0 ? '' : line < 0 ? '1' : '0')).join('');
  return (first === 0 ? (second === 0 ? '1' : '001') : second === 0 ? '01' : '000') + signs;
}

const idHead = 'ID3\u0004\0\0';
/** Encoding (UTF-8), language, and an empty description. */
const commentHead = '\u0003eng\0';

/** Sizes have seven bits in each byte. */
const figure = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 127));

function tagOf(comment: string): Buffer {
  const body = Buffer.from(commentHead + comment);
  const frame = Buffer.concat([Buffer.from('COMM'), figure(body.length), Buffer.alloc(2), body]);
  return Buffer.concat([Buffer.from(idHead), figure(frame.length), frame]);
}

/** Returns the text in an MP3 that `speakMp3` has generated; `undefined` for anything else. */
export function textOfMp3(file: Buffer): string | undefined {
  const start = idHead.length + 4;
  if (file.toString('latin1', 0, idHead.length) !== idHead || file.toString('latin1', start, start + 4) !== 'COMM')
    return undefined;
  const size = file.subarray(start + 4, start + 8).reduce((sum, byte) => sum * 128 + byte, 0);
  return file.toString('utf8', start + 10 + commentHead.length, start + 10 + size);
}
