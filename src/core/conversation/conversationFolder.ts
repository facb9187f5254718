import { createTurns } from '../async/turns';
import { isConversationId } from '../../schema/conversationId';
import { readdir, stat } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import {
  openDraftAttachments,
  openQueuedMessages,
  type DraftAttachments,
  type QueuedMessages,
} from './draftAttachments';
import { HeldElsewhere, type Lease, type Leases } from '../storage/leases';
import { type OnSetAside, createTextFile } from '../storage/storedFile';
import { historyVersion, readRecords, type ConversationRecord, toLines } from './record';
import { createTranscript, type Transcript } from './transcript';
import { readOrEmpty, makeFolder } from '../storage/privateFiles';
import { openAppendLog, type AppendLog } from '../storage/appendLog';

/** A conversation with its file. */
export interface Conversation {
  readonly id: string;
  readonly transcript: Transcript;
  /**
   * Appends to the file, then to the transcript. If the write fails, the transcript has the records nevertheless, and they are `unsaved`
   * until a later write succeeds. With `durable`, rejects instead and neither has them; also if another window took the conversation
   * over (`HeldElsewhere`).
   */
  record(records: readonly ConversationRecord[], options?: { readonly durable?: boolean }): Promise<void>;
  /** Changes of the transcript that aren't in the file, or `undefined`. */
  readonly unsaved: Unsaved | undefined;
  /** Retries to write what is unsaved. Rejects with the error if that fails. */
  save(): Promise<void>;
  /** Called when writes begin to fail, when a `save` fails, and when everything is written again. */
  onDidChangeUnsaved(listener: () => void): { dispose(): void };
  readDraft(): Promise<string>;
  /** Empty text removes the draft. */
  writeDraft(text: string): Promise<void>;
  /** The draft's attachments. */
  readonly attached: DraftAttachments;
  /** The messages that wait for the running answer. */
  readonly queued: QueuedMessages;
  /** Retries writing unsaved changes once. If that fails, they are lost. */
  close(): Promise<void>;
}

/** Changes that exist in memory only. */
export interface Unsaved {
  /** The error of the failed write. */
  readonly error: unknown;
  /** Ids of the answers that are incomplete on disk. */
  readonly answers: ReadonlySet<string>;
  /** How often `save` has failed since. */
  readonly tries: number;
}

/**
 * The conversations on disk: `<id>.jsonl` is the history, `<id>.draft` the text in the question box, `<id>.attached` its attachments, and
 * `<id>.queued` the messages that wait.
 */
export interface ConversationFolder {
  /**
   * Opens a conversation. A new one has no file yet. Resolves to `undefined` if a later version wrote it. Throws `HeldElsewhere` if another
   * window has it open. `force` takes it over from there.
   */
  open(id: string, options?: { readonly force?: boolean }): Promise<Conversation | undefined>;
  /** Resolves with the id of the conversation written last. */
  newestId(): Promise<string | undefined>;
}

export function createConversationFolder(
  folder: string,
  now: () => number,
  leases?: Leases,
  onSetAside: OnSetAside = () => {},
): ConversationFolder {
  return {
    async open(id, options) {
      if (!isConversationId(id)) return undefined;
      // Before reading, so that the file includes the last write of another window.
      const lease = await leases?.take(id, options).catch((error: unknown) => {
        if (error instanceof HeldElsewhere) throw error;
        // A disk that accepts no lease accepts no history either, but the existing one can still be read.
        return undefined;
      });
      try {
        const [history, attached, queued] = await Promise.all([
          readOrEmpty(join(folder, `${id}.jsonl`)),
          openDraftAttachments(join(folder, `${id}.attached`), onSetAside),
          openQueuedMessages(join(folder, `${id}.queued`), onSetAside),
        ]);
        const records = readRecords(history);
        const header = records.find((record) => record.kind === 'conversation');
        if (!header || header.version <= historyVersion)
          return openConversation({ folder, id, records, attached, queued, now, lease });
      } catch (error) {
        await lease?.release();
        throw error;
      }
      await lease?.release();
      return undefined;
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
  readonly attached: DraftAttachments;
  readonly queued: QueuedMessages;
  readonly now: () => number;
  readonly lease: Lease | undefined;
}

function openConversation({ folder, id, records, attached, queued, now, lease }: Opening): Conversation {
  const transcript = createTranscript(records);
  const file = createHistoryFile(join(folder, `${id}.jsonl`));
  const draft = createTextFile(join(folder, `${id}.draft`));
  const saving = createSaving(file);
  return {
    id,
    transcript,
    async record(added, { durable = false } = {}) {
      const isFirst = transcript.createdAt === undefined;
      const header = { kind: 'conversation', version: historyVersion, id, createdAt: now() } as const;
      const records = isFirst ? [header, ...added] : added;
      // Prevents a new turn in a conversation that another window has taken over.
      if (durable) await lease?.check();
      await saving.append(records, durable);
      for (const record of records) transcript.apply(record);
    },
    get unsaved() {
      return saving.unsaved;
    },
    save: () => saving.save(),
    onDidChangeUnsaved: (listener) => saving.onDidChange(listener),
    readDraft: draft.read,
    writeDraft: draft.write,
    attached,
    queued,
    async close() {
      await draft.settled();
      await attached.settled();
      await queued.settled();
      await file.close();
      await lease?.release();
    },
  };
}

/** Writes to a history file and keeps track of what is unwritten. */
function createSaving(file: HistoryFile) {
  const listeners = new Set<() => void>();
  let failed: { readonly error: unknown; readonly tries: number } | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const settle = (error: unknown, tries: number) => {
    const before = failed;
    failed = file.unwritten.length === 0 ? undefined : { error, tries };
    if (before?.tries !== failed?.tries) tell();
  };
  return {
    async append(records: readonly ConversationRecord[], durable: boolean): Promise<void> {
      try {
        await file.append(records, { durable });
        settle(undefined, 0);
      } catch (error) {
        settle(error, failed?.tries ?? 0);
        if (durable) throw error;
      }
    },
    async save(): Promise<void> {
      try {
        await file.append([]);
        settle(undefined, 0);
      } catch (error) {
        settle(error, (failed?.tries ?? 0) + 1);
        throw error;
      }
    },
    get unsaved(): Unsaved | undefined {
      const answers = file.unwritten.flatMap((record) =>
        'answer' in record ? [record.answer] : record.kind === 'answer' ? [record.id] : [],
      );
      return failed && { ...failed, answers: new Set(answers) };
    },
    onDidChange(listener: () => void) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
  };
}

/** Appends lines to one history file. */
interface HistoryFile {
  /**
   * Resolves once the operating system has the lines, so that a crash of this process cannot lose them. After a failure they are
   * retained and written with the next call. With `durable`, resolves once they are on disk, and a failure discards them, here and
   * in the file.
   */
  append(records: readonly ConversationRecord[], options?: { readonly durable?: boolean }): Promise<void>;
  /** The records that could not be written so far. */
  readonly unwritten: readonly ConversationRecord[];
  /** Tries once more to write what is unwritten. */
  close(): Promise<void>;
}

/** The first `append` creates the file and its folder. */
export function createHistoryFile(path: string): HistoryFile {
  let log: AppendLog | undefined;
  const unwritten: ConversationRecord[] = [];
  const inTurn = createTurns();
  const open = async (): Promise<AppendLog> => {
    await makeFolder(dirname(path));
    return (log ??= await openAppendLog(path));
  };
  /** A full disk accepts part of a write, and the accepted part isn't written again. */
  const drain = async (): Promise<void> => {
    if (unwritten.length === 0) return;
    const to = log ?? (await open());
    const written = unwritten.map((record) => to.append(toLines([record]), { isDurable: false }));
    const results = await Promise.allSettled(written);
    const failed = results.findIndex(({ status }) => status === 'rejected');
    unwritten.splice(0, failed < 0 ? unwritten.length : failed);
    await Promise.all(written);
  };
  return {
    unwritten,
    append: (records, { durable = false } = {}) =>
      inTurn(async () => {
        if (!durable) for (const one of records) unwritten.push(one);
        await drain();
        if (durable) await (log ?? (await open())).append(toLines(records));
      }),
    close: () =>
      inTurn(async () => {
        await drain().catch(() => undefined);
        await log?.close();
        log = undefined;
      }),
  };
}
