import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import { BufferSource, Input, MP3, OGG, WAVE } from 'mediabunny';
import type { SampleFacts, SampleFormat, SampleReading } from './sampleFacts';

/** Thirty seconds are smaller in every format: the service documents no limit in bytes except 50 MB for transcriptions. */
export const mostSampleBytes = 50_000_000;

/** Bytes per mono sample: raw samples are assumed to be 16-bit little-endian, as the service's own output is. */
const pcmBytes = 2;

export interface SampleSource {
  readonly bytes: Uint8Array;
  /** Includes the ending, the only sign of raw samples: their content reveals nothing. */
  readonly name: string;
  /** Hertz, for raw samples. */
  readonly pcmRate?: number;
}

/** Detects the content of a file. Never throws: an unreadable file is rejected. */
export async function readSample({ bytes, name, pcmRate }: SampleSource): Promise<SampleReading> {
  if (bytes.length === 0) return { kind: 'refused', why: 'empty' };
  if (bytes.length > mostSampleBytes) return { kind: 'refused', why: 'tooLarge' };
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime.split(';')[0];
  const isNamedRaw = ['.pcm', '.raw'].includes(extname(name).toLowerCase());
  if (isNamedRaw && (type === undefined || isChance(type, bytes)) && textOf(bytes) === undefined) {
    return { kind: 'sample', facts: rawFacts(bytes.length, pcmRate) };
  }
  if (type === undefined) return refuseUnknown(bytes);
  return containers.has(type) ? readContainer(bytes, type) : refuseOther(type);
}

/** Types that the parser library can read. */
const containers: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/wav', 'audio/ogg', 'application/ogg']);

/** Whether it might be raw samples, whose first two bytes occasionally look like the start of an MP3 frame. */
function isChance(type: string, bytes: Uint8Array): boolean {
  return type === 'audio/mpeg' && !(bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33);
}

function rawFacts(bytes: number, sampleRate: number | undefined): SampleFacts {
  const facts = { format: 'pcm', codec: 'pcm-s16', bytes } as const;
  if (sampleRate === undefined) return facts;
  const bitsPerSecond = sampleRate * pcmBytes * 8;
  return { ...facts, sampleRate, channels: 1, bitsPerSecond, seconds: bytes / (sampleRate * pcmBytes) };
}

async function readContainer(bytes: Uint8Array, type: string): Promise<SampleReading> {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP3, WAVE, OGG] });
  try {
    const track = await input.getPrimaryAudioTrack();
    // Ogg can contain anything. MP3 and WAV contain audio, here in an unknown encoding.
    if (!track?.codec) return { kind: 'refused', why: type.endsWith('/ogg') && !track ? 'noSound' : 'damaged', type };
    const [seconds, { averageBitrate }] = await Promise.all([input.computeDuration(), track.computePacketStats()]);
    const facts: SampleFacts = {
      format: formatOf(type, track.codec),
      codec: track.codec,
      bytes: bytes.length,
      seconds,
      sampleRate: track.sampleRate,
      channels: track.numberOfChannels,
      bitsPerSecond: Math.round(averageBitrate),
    };
    return { kind: 'sample', facts };
  } catch {
    return { kind: 'refused', why: 'damaged', type };
  } finally {
    input.dispose();
  }
}

function formatOf(type: string, codec: string): SampleFormat {
  if (type === 'audio/mpeg') return 'mp3';
  if (type === 'audio/wav') return 'wav';
  return codec === 'opus' ? 'opus' : 'ogg';
}

function refuseOther(type: string): SampleReading {
  const family = type.split('/')[0];
  const why =
    family === 'image' ? 'image' : family === 'video' ? 'video' : family === 'audio' ? 'otherAudio' : 'notAudio';
  return { kind: 'refused', why, type };
}

function refuseUnknown(bytes: Uint8Array): SampleReading {
  const text = textOf(bytes);
  if (text === undefined) return { kind: 'refused', why: 'notAudio' };
  const isHtml = /^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body)[\s>]/i.test(text.trimStart());
  return { kind: 'refused', why: isHtml ? 'html' : 'text' };
}

/** Returns the beginning of a text; `undefined` if the bytes are not UTF-8 text. A character cut off at the end is ignored. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, 4096), { stream: true });
    // oxlint-disable-next-line no-control-regex -- control characters are what tells binary from text
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
