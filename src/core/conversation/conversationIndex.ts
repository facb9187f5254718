import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeAtomic } from '../storage/atomicFile';
import { autoTitle } from './autoTitle';
import { byPinAndAge, conversationFacts, findIn } from './conversationFacts';
import type { ConversationFacts } from './conversationFacts';
import { openDraftAttachments } from './draftAttachments';
import { historyVersion, readRecords } from './record';
import type { ConversationRecord } from './record';

export interface IndexEntry extends ConversationFacts {
  readonly id: string;
  /** It has no question yet, but the user typed or attached something. `at` is then when that was written. */
  readonly draft?: true;
  /** An excerpt of the text that matches the query; absent if the title matches. */
  readonly found?: string;
}

/** The conversations in a folder, pinned first, then newest first. */
export interface ConversationIndex {
  /** Omits conversations in which the user typed nothing. Rereads a history only if its size or time changed. */
  list(): Promise<readonly IndexEntry[]>;
  /** Resolves with those whose title or text has every word of the query. */
  search(query: string, signal: AbortSignal): Promise<readonly IndexEntry[]>;
}

const cachedSchema = z.object({
  version: z.literal(3),
  files: z.record(
    z.string(),
    z.object({
      size: z.number(),
      mtimeMs: z.number(),
      title: z.string(),
      pinned: z.boolean(),
      at: z.number(),
      questions: z.number(),
      instructions: z.string(),
      model: z.exactOptional(z.string()),
      account: z.exactOptional(z.string()),
    }),
  ),
});
type Cached = z.infer<typeof cachedSchema>['files'][string];

const cacheName = 'index.json';
/** How many files are read at a time: more would only wait for each other. */
const atOnce = 16;

/** The cache next to the files only saves reading. It is rebuilt whenever it is missing or invalid. */
export function createConversationIndex(folder: string): ConversationIndex {
  let files: Map<string, Cached> | undefined;

  const list = async (): Promise<readonly IndexEntry[]> => {
    files ??= await readCache(folder);
    const known = files;
    const names = await readdir(folder).catch((): string[] => []);
    const ids = idsOf(names, historyName);
    let isChanged = known.size !== ids.length;
    const now = await inGroups(ids, async (id): Promise<readonly [string, Cached] | undefined> => {
      const { size, mtimeMs } = (await stat(pathOf(folder, id)).catch(() => undefined)) ?? {};
      if (size === undefined || mtimeMs === undefined) return undefined;
      const cached = known.get(id);
      if (cached?.size === size && cached.mtimeMs === mtimeMs) return [id, cached];
      const records = await readConversation(folder, id);
      if (!records) return undefined;
      isChanged = true;
      return [id, { size, mtimeMs, ...conversationFacts(records) }];
    });
    const found = now.filter((entry) => entry !== undefined);
    files = new Map(found);
    if (isChanged) await writeCache(folder, files).catch(() => undefined);
    const drafts = await readDrafts(folder, names, files);
    return [...found.filter(([, { questions }]) => questions > 0).map(toEntry), ...drafts].toSorted(byPinAndAge);
  };

  return {
    list,
    async search(query, signal) {
      const entries = await list();
      const found = await inGroups(entries, async (entry): Promise<IndexEntry | undefined> => {
        signal.throwIfAborted();
        const history = await readConversation(folder, entry.id);
        const records = entry.draft ? await withDraft(folder, entry.id, history ?? []) : history;
        const where = records && findIn(records, entry.title, query);
        if (!where) return undefined;
        return where.in === 'title' ? entry : { ...entry, found: where.found };
      });
      return found.filter((entry) => entry !== undefined);
    },
  };
}

const pathOf = (folder: string, id: string) => join(folder, `${id}.jsonl`);

const historyName = /^([\w-]{1,64})\.jsonl$/;
const draftName = /^([\w-]{1,64})\.(?:draft|attached)$/;

function idsOf(names: readonly string[], pattern: RegExp): readonly string[] {
  return names.map((name) => pattern.exec(name)?.[1]).filter((id) => id !== undefined);
}

function toEntry([id, { size: _size, mtimeMs: _mtimeMs, ...facts }]: readonly [string, Cached]): IndexEntry {
  return { id, ...facts };
}

/** Returns the conversations without a question that hold something the user typed or attached. */
async function readDrafts(
  folder: string,
  names: readonly string[],
  histories: ReadonlyMap<string, Cached>,
): Promise<readonly IndexEntry[]> {
  const all = new Set(names);
  const isEmpty = (id: string) => histories.get(id)?.questions === 0 || !all.has(`${id}.jsonl`);
  const setUp = [...histories].filter(([, { instructions }]) => instructions !== '').map(([id]) => id);
  const ids = [...new Set([...idsOf(names, draftName), ...setUp])].filter(isEmpty);
  const entries = await inGroups(ids, async (id): Promise<IndexEntry | undefined> => {
    const { title = '', pinned = false, instructions = '' } = histories.get(id) ?? {};
    const draft = await readDraft(join(folder, id));
    if (draft.text.trim() === '' && draft.labels.length === 0 && instructions === '') return undefined;
    const times = await Promise.all(
      ['draft', 'attached', 'jsonl'].map((kind) => stat(join(folder, `${id}.${kind}`)).catch(() => undefined)),
    );
    const at = times
      .map((found) => Math.round(found?.mtimeMs ?? 0))
      .reduce((most, one) => Math.max(most, one), -Infinity);
    const shown = title || draftTitle(draft) || instructions;
    return { id, title: shown, pinned, at, questions: 0, instructions, draft: true };
  });
  return entries.filter((entry) => entry !== undefined);
}

interface Draft {
  readonly text: string;
  /** Those of the attachments. */
  readonly labels: readonly string[];
}

/** Reads what is in the question box, from the files whose paths begin with `path`. */
async function readDraft(path: string): Promise<Draft> {
  const text = await readFile(`${path}.draft`, 'utf8').catch(() => '');
  const { list } = await openDraftAttachments(`${path}.attached`, () => {});
  return { text, labels: list.map(({ label }) => label) };
}

/** Names a draft in one line by its text, or else by its attachments. Empty without either. */
function draftTitle({ text, labels }: Draft): string {
  return autoTitle(text) || autoTitle(labels.join(', '));
}

/** The same of a conversation that was never asked, from the files whose paths begin with `path`. */
export async function readDraftTitle(path: string): Promise<string> {
  return draftTitle(await readDraft(path));
}

/** Adds the draft as one more question, so that a search finds its words. */
async function withDraft(
  folder: string,
  id: string,
  records: readonly ConversationRecord[],
): Promise<readonly ConversationRecord[]> {
  const { text } = await readDraft(join(folder, id));
  return [...records, { kind: 'question', id: 'draft', parent: null, at: 0, text }];
}

/** Resolves with `undefined` if the file is unreadable, or a later version wrote it, because this version might misread it. */
async function readConversation(folder: string, id: string): Promise<readonly ConversationRecord[] | undefined> {
  const text = await readFile(pathOf(folder, id), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const records = readRecords(text);
  const header = records.find((record) => record.kind === 'conversation');
  return header && header.version > historyVersion ? undefined : records;
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atOnce)
    for (const one of await Promise.all(items.slice(from, from + atOnce).map(work))) results.push(one);
  return results;
}

async function readCache(folder: string): Promise<Map<string, Cached>> {
  try {
    const read = cachedSchema.parse(JSON.parse(await readFile(join(folder, cacheName), 'utf8')));
    return new Map(Object.entries(read.files));
  } catch {
    return new Map();
  }
}

async function writeCache(folder: string, files: ReadonlyMap<string, Cached>): Promise<void> {
  await writeAtomic(join(folder, cacheName), JSON.stringify({ version: 2, files: Object.fromEntries(files) }));
}
