import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { renameDurably } from '../storage/atomicFile';
import { makeFolder } from '../storage/privateFiles';
import { conversationFacts } from './conversationFacts';
import { readDraftTitle } from './conversationIndex';
import { readRecords } from './record';

/** Deleted conversations, for as long as they can be restored. */
export interface ConversationTrash {
  /** Moves a conversation, its draft and the draft's attachments to the trash. Ignores a conversation without files. */
  put(id: string): Promise<void>;
  /** Moves a conversation back. Resolves to false if it is no longer in the trash. */
  restore(id: string): Promise<boolean>;
  /** Resolves with the conversation deleted last that can still be restored. */
  last(): Promise<{ readonly id: string; readonly title: string } | undefined>;
  /** Permanently deletes everything older than `keepMs`. */
  clear(): Promise<void>;
}

const namePattern = /^([\w-]{1,64})\.(\d{1,16})\.(jsonl|draft|attached|queued)$/;

/** Stores files in the subfolder `deleted` for `keepMs`; each file name includes the time of deletion, in Unix milliseconds. */
export function createConversationTrash(
  folder: string,
  keepMs: number,
  now: () => number = Date.now,
): ConversationTrash {
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
      // The history moves last: the conversation exists as long as its history is in the folder.
      for (const kind of ['draft', 'attached', 'queued', 'jsonl'])
        await moveIfThere(join(folder, `${id}.${kind}`), join(bin, `${id}.${at}.${kind}`));
    },
    async restore(id) {
      const files = (await held()).filter((file) => file.id === id && !isOver(file));
      const newest = files.map(({ at }) => at).reduce((most, one) => Math.max(most, one), -Infinity);
      for (const { path, kind, at } of files) if (at === newest) await moveIfThere(path, join(folder, `${id}.${kind}`));
      return files.length > 0;
    },
    async last() {
      const files = (await held()).filter((file) => !isOver(file));
      const newest = files.toSorted((a, b) => b.at - a.at)[0];
      if (!newest) return undefined;
      const { id, at } = newest;
      const path = join(bin, `${id}.${at}`);
      const history = await readFile(`${path}.jsonl`, 'utf8').catch(() => '');
      const { title, questions, instructions } = conversationFacts(readRecords(history));
      if (title !== '' || questions > 0) return { id, title };
      return { id, title: (await readDraftTitle(path)) || instructions };
    },
    async clear() {
      for (const file of await held()) if (isOver(file)) await rm(file.path, { force: true });
    },
  };
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await renameDurably(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
