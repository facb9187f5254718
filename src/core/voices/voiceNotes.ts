import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnSetAside } from '../storage/storedFile';
import { createTextFile } from '../storage/storedFile';
import { readOrEmpty } from '../storage/privateFiles';

/** A user's note about a voice: its owner and the recording's source. Never sent. */
export interface VoiceNote {
  /** Free text; may be empty. */
  readonly text: string;
  /** The user states that they may use the voice. */
  readonly isAllowed: boolean;
  /** Absolute path of the recording, if it was uploaded from this machine. The file may be missing by now. */
  readonly sample?: string;
  /** Unix milliseconds. */
  readonly writtenAt: number;
}

/**
 * Notes on voices by their `speech:` URI, on this machine only. Written when a voice is uploaded or its note is edited, read when
 * it is shown, removed when it is deleted.
 */
export interface VoiceNotes {
  /** `undefined` if there is no readable note. */
  read(uri: string): Promise<VoiceNote | undefined>;
  /** Replaces the previous note. Rejects if it cannot be written to disk. */
  write(uri: string, note: Omit<VoiceNote, 'writtenAt'>): Promise<void>;
  /** Returns the recordings that any note names. */
  samples(): Promise<readonly string[]>;
  /** Does nothing if there is no note. */
  remove(uri: string): Promise<void>;
}

/** In characters; a longer text is cut. */
export const longestVoiceNote = 4000;

/** Stores one small file per voice below `folder`, so that windows do not conflict. */
export function createVoiceNotes(folder: string, onSetAside: OnSetAside, now: () => number = Date.now): VoiceNotes {
  const fileOf = (uri: string) => join(folder, `${createHash('sha256').update(uri).digest('hex').slice(0, 40)}.json`);
  return {
    read: async (uri) => parse(await readOrEmpty(fileOf(uri)), uri),
    async write(uri, { text, isAllowed, sample }) {
      const record = { version: 1, uri, text: text.slice(0, longestVoiceNote), isAllowed, sample, writtenAt: now() };
      const isUnderstood = (there: string) => parse(there, uri) !== undefined;
      await createTextFile(fileOf(uri), onSetAside, isUnderstood).write(`${JSON.stringify(record)}\n`);
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
    remove: async (uri) => createTextFile(fileOf(uri)).write(''),
  };
}

/** `undefined` for a note of a later version, or a corrupt one. */
function parse(text: string, expectedUri?: string): VoiceNote | undefined {
  const raw = parseJson(text);
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { version, uri, text: words, isAllowed, sample, writtenAt } = raw as Readonly<Record<string, unknown>>;
  if (version !== 1 || (expectedUri !== undefined && uri !== expectedUri) || typeof words !== 'string')
    return undefined;
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
