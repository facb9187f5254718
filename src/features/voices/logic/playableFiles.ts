import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { wavOfPcm } from '../../../core/audio/wavOfPcm';
import { copyAtomic, writeAtomic } from '../../../core/storage/atomicFile';
import { exists } from '../../../core/storage/privateFiles';
import { hearSpeech, usualPcmRate } from '../../../core/voices/speechAnswer';
import type { SpeechRequest } from '../../../core/api/speech/speech.schema';
import type { SpeechAsset } from '../../../core/voices/takes';

/** Larger recordings are not copied for playback. */
const mostCopiedBytes = 100_000_000;
/** The duration of larger takes is left to the player. */
const mostMeasuredBytes = 50_000_000;

export interface Playable {
  /** Absolute path of a file that a player supports; the saved file itself if it is one. */
  readonly path: string;
  /** `undefined` if only a player can determine it. */
  readonly seconds: number | undefined;
}

/** Files as a page can play them; for those that it cannot, copies in a separate folder. */
export interface PlayableFiles {
  readonly folder: string;
  /** Adds a header to raw samples; the saved file is not changed. */
  ofTake(take: SpeechAsset): Promise<Playable>;
  /** `undefined` if the recording is missing or too large. */
  ofSample(path: string): Promise<string | undefined>;
  /** Deletes copies of takes that no longer exist. */
  tidy(takes: readonly SpeechAsset[]): Promise<void>;
  /** Deletes all copies except those of these recordings in their current state. */
  tidySamples(samples: readonly string[]): Promise<void>;
}

export function playingFolder({ globalStorageUri }: ExtensionContext): string {
  return join(globalStorageUri.fsPath, 'voicePlaying');
}

export function createPlayableFiles(folder: string): PlayableFiles {
  /** Seconds by content hash; 0 if unknown. */
  const measured = new Map<string, number>();
  const withCopy = async (name: string, write: (path: string) => Promise<void>): Promise<string> => {
    const path = join(folder, name);
    if (await exists(path)) return path;
    await write(path);
    return path;
  };
  const drop = async (isLeft: (name: string) => boolean) => {
    const names = await readdir(folder).catch(() => []);
    await Promise.all(
      names
        .filter((name) => !name.endsWith('.tmp') && isLeft(name))
        .map((name) => rm(join(folder, name), { force: true })),
    );
  };
  return {
    folder,
    async ofTake({ path, recipe: { file, request } }) {
      const known = measured.get(file.sha256) ?? (await secondsOf(path, file.bytes, request));
      measured.set(file.sha256, known);
      const seconds = known === 0 ? undefined : known;
      if (request.response_format !== 'pcm') return { path, seconds };
      const rate = request.sample_rate ?? usualPcmRate;
      const copy = await withCopy(copyName(file.sha256, rate), async (target) =>
        writeAtomic(target, wavOfPcm(await readFile(path), rate)),
      );
      return { path: copy, seconds };
    },
    async ofSample(path) {
      const name = await sampleName(path);
      return name === undefined ? undefined : withCopy(name, (target) => copyAtomic(path, target));
    },
    async tidy(takes) {
      const playable = new Set(
        takes.map(({ recipe: { file, request } }) => copyName(file.sha256, request.sample_rate ?? usualPcmRate)),
      );
      await drop((name) => name.startsWith('take-') && !playable.has(name));
    },
    async tidySamples(samples) {
      const playable = new Set(await Promise.all(samples.map(sampleName)));
      await drop((name) => name.startsWith('sample-') && !playable.has(name));
    },
  };
}

async function secondsOf(path: string, bytes: number, request: SpeechRequest): Promise<number> {
  if (bytes > mostMeasuredBytes) return 0;
  const heard = await hearSpeech(await readFile(path), request);
  return heard.kind === 'speech' ? (heard.seconds ?? 0) : 0;
}

/** Changes when the recording does; `undefined` if it is missing or too large. */
async function sampleName(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile() || facts.size > mostCopiedBytes) return undefined;
  const key = createHash('sha256').update(`${path}\n${facts.size}\n${facts.mtimeMs}`).digest('hex');
  return `sample-${key.slice(0, 40)}${extname(path)}`;
}

const copyName = (sha256: string, rate: number) => `take-${sha256.slice(0, 40)}-${rate}.wav`;
