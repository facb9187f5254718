import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnSetAside } from '../files/setAside';
import { createAtomicFile, readOrEmpty } from '../files/atomicFile';

/** What a person wrote down about a voice: whose it is and where the recording is from. Never sent. */
export interface VoiceNote {
  /** Free text; may be empty. */
  readonly text: string;
  /** They say they may use the voice. */
  readonly isAllowed: boolean;
  /** Absolute: the recording, where it was uploaded from this machine. It may be gone meanwhile. */
  readonly sample?: string;
  /** Unix milliseconds. */
  readonly writtenAt: number;
}

/**
 * The notes on voices, by the voice's `speech:` URI, on this machine only. Whoever uploads a voice writes its note; whoever shows one
 * reads it and may write it anew; whoever deletes one removes it.
 */
export interface VoiceNotes {
  /** `undefined` where there is none, or none that can be understood. */
  read(uri: string): Promise<VoiceNote | undefined>;
  /** In place of what was there. Rejects where the disk takes it not. */
  write(uri: string, note: Omit<VoiceNote, 'writtenAt'>): Promise<void>;
  /** The recordings that are named by any note. */
  samples(): Promise<readonly string[]>;
  /** Nothing where there is none. */
  remove(uri: string): Promise<void>;
}

/** In characters; a longer text is cut. */
export const longestVoiceNote = 4000;

export interface VoiceNotesOptions {
  readonly now?: () => number;
  readonly onSetAside: OnSetAside;
}

/** One small file for each voice below `folder`, so that windows do not get into each other's way. */
export function createVoiceNotes(folder: string, { now = Date.now, onSetAside }: VoiceNotesOptions): VoiceNotes {
  const fileOf = (uri: string) => join(folder, `${createHash('sha256').update(uri).digest('hex').slice(0, 40)}.json`);
  return {
    read: async (uri) => parse(await readOrEmpty(fileOf(uri)), uri),
    async write(uri, { text, isAllowed, sample }) {
      const record = { version: 1, uri, text: text.slice(0, longestVoiceNote), isAllowed, sample, writtenAt: now() };
      const isUnderstood = (there: string) => parse(there, uri) !== undefined;
      await createAtomicFile(fileOf(uri), { isUnderstood, onSetAside }).write(`${JSON.stringify(record)}\n`);
    },
    async samples() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const found = await Promise.all(
        names
          .filter((name) => name.endsWith('.json'))
          .map(async (name) => parse(await readOrEmpty(join(folder, name)))),
      );
      return found.flatMap((note) => (note?.sample === undefined ? [] : [note.sample]));
    },
    remove: async (uri) => createAtomicFile(fileOf(uri)).write(''),
  };
}

/** `undefined` for what a later version may have written, or a disk spoilt. */
function parse(text: string, wanted?: string): VoiceNote | undefined {
  const raw = parseJson(text);
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { version, uri, text: words, isAllowed, sample, writtenAt } = raw as Readonly<Record<string, unknown>>;
  if (version !== 1 || (wanted !== undefined && uri !== wanted) || typeof words !== 'string') return undefined;
  if (typeof isAllowed !== 'boolean' || typeof writtenAt !== 'number') return undefined;
  return { text: words, isAllowed, ...(typeof sample === 'string' && { sample }), writtenAt };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
