import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/privateFiles';
import { conversationFacts } from './conversationFacts';
import { readRecords } from './record';

/** Conversations that were deleted, for as long as they can be had back. */
export interface ConversationTrash {
  /** Moves a conversation, its draft and what goes along with that aside. A conversation without a file is left as it is. */
  put(id: string): Promise<void>;
  /** Moves it back; false when it is not here any more. */
  restore(id: string): Promise<boolean>;
  /** The one put here last that can still be had back. */
  last(): Promise<{ readonly id: string; readonly title: string } | undefined>;
  /** Really removes what was put here longer ago than it is kept. */
  clear(): Promise<void>;
}

export interface ConversationTrashOptions {
  readonly keepMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const namePattern = /^([\w-]{1,64})\.(\d{1,16})\.(jsonl|draft|attached)$/;

/** In `deleted` within the folder; the name of a file says when it was put there. */
export function createConversationTrash(folder: string, { keepMs, now }: ConversationTrashOptions): ConversationTrash {
  const bin = join(folder, 'deleted');
  const held = async () => {
    const names = await readdir(bin).catch((): string[] => []);
    return names.flatMap((name) => {
      const [, id, at, kind] = namePattern.exec(name) ?? [];
      return id === undefined ? [] : [{ path: join(bin, name), id, at: Number(at), kind: `${kind}` }];
    });
  };
  const isOver = ({ at }: { readonly at: number }) => now() - at > keepMs;

  return {
    async put(id) {
      await makeFolder(bin);
      const at = now();
      // The history last: while it is in its place the conversation is.
      for (const kind of ['draft', 'attached', 'jsonl'])
        await moveIfThere(join(folder, `${id}.${kind}`), join(bin, `${id}.${at}.${kind}`));
    },
    async restore(id) {
      const files = (await held()).filter((file) => file.id === id && !isOver(file));
      const newest = Math.max(...files.map(({ at }) => at));
      for (const { path, kind, at } of files) if (at === newest) await moveIfThere(path, join(folder, `${id}.${kind}`));
      return files.length > 0;
    },
    async last() {
      const files = (await held()).filter((file) => file.kind === 'jsonl' && !isOver(file));
      const newest = files.toSorted((a, b) => b.at - a.at)[0];
      if (!newest) return undefined;
      const text = await readFile(newest.path, 'utf8').catch(() => '');
      return { id: newest.id, title: conversationFacts(readRecords(text)).title };
    },
    async clear() {
      for (const file of await held()) if (isOver(file)) await rm(file.path, { force: true });
    },
  };
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
