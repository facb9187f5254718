import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHistoryFile } from './historyFile';
import { historyVersion, readRecords } from './record';
import type { ConversationRecord } from './record';
import { createTranscript } from './transcript';
import type { Transcript } from './transcript';

/** A conversation with its file. */
export interface Conversation {
  readonly id: string;
  readonly transcript: Transcript;
  /**
   * Adds to the file, then to the transcript: what is seen in the transcript cannot be lost. After a failure the transcript
   * has them and the file gets them with the next call; with `durable` neither has them.
   */
  record(records: readonly ConversationRecord[], options?: { readonly durable?: boolean }): Promise<void>;
  readDraft(): Promise<string>;
  /** Empty text removes the draft. */
  writeDraft(text: string): Promise<void>;
  close(): Promise<void>;
}

/** The conversations on disk: `<id>.jsonl` is the history, `<id>.draft` what stands in the question box. */
export interface ConversationFolder {
  /** A conversation without history or draft has no file yet. `undefined` when a later version wrote it. */
  open(id: string): Promise<Conversation | undefined>;
  /** The one written last. */
  newestId(): Promise<string | undefined>;
}

const idPattern = /^[\w-]{1,64}$/;

/** Whether it can be a conversation's id, which is also its file name. */
export function isConversationId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value);
}

export function createConversationFolder(folder: string, now: () => number): ConversationFolder {
  return {
    async open(id) {
      if (!isConversationId(id)) return undefined;
      const records = readRecords(await readOrEmpty(join(folder, `${id}.jsonl`)));
      const header = records.find((record) => record.kind === 'conversation');
      if (header && header.version > historyVersion) return undefined;
      return openConversation({ folder, id, records, now });
    },

    async newestId() {
      const names = await readdir(folder).catch((): string[] => []);
      const found = await Promise.all(
        names
          .map((name) => /^([\w-]{1,64})\.jsonl$/.exec(name)?.[1])
          .filter((id) => id !== undefined)
          .map(async (id) => ({
            id,
            at: (await stat(join(folder, `${id}.jsonl`)).catch(() => undefined))?.mtimeMs ?? 0,
          })),
      );
      return found.toSorted((a, b) => b.at - a.at)[0]?.id;
    },
  };
}

interface Opening {
  readonly folder: string;
  readonly id: string;
  readonly records: readonly ConversationRecord[];
  readonly now: () => number;
}

function openConversation({ folder, id, records, now }: Opening): Conversation {
  const transcript = createTranscript(records);
  const file = createHistoryFile(join(folder, `${id}.jsonl`));
  const draft = createDraft(join(folder, `${id}.draft`));
  return {
    id,
    transcript,
    async record(added, { durable = false } = {}) {
      const isFirst = transcript.createdAt === undefined;
      const header = { kind: 'conversation', version: historyVersion, id, createdAt: now() } as const;
      const records = isFirst ? [header, ...added] : added;
      try {
        await file.append(records, { durable });
      } catch (error) {
        if (!durable) for (const record of records) transcript.apply(record);
        throw error;
      }
      for (const record of records) transcript.apply(record);
    },
    readDraft: draft.read,
    writeDraft: draft.write,
    async close() {
      await draft.settled();
      await file.close();
    },
  };
}

/** Writes whole, beside and renamed. Of several writes asked for meanwhile only the last is made. */
function createDraft(path: string) {
  let wanted: string | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeNow = async (): Promise<void> => {
    if (wanted === undefined) return;
    const text = wanted;
    wanted = undefined;
    if (text === '') return rm(path, { force: true });
    await mkdir(join(path, '..'), { recursive: true });
    const beside = `${path}.${randomUUID()}.tmp`;
    try {
      await writeFile(beside, text, { mode: 0o600 });
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  };

  return {
    read: async () => wanted ?? (await readOrEmpty(path)),
    write: (text: string): Promise<void> => {
      wanted = text;
      writing = writing.then(writeNow, writeNow);
      return writing;
    },
    settled: () => writing.catch(() => {}),
  };
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
