import { readAttachments } from './attachment';
import type { Attachment } from './attachment';
import type { OnSetAside } from '../storage/storedFile';
import { createTextFile } from '../storage/storedFile';

/** A list in a separate file. */
interface StoredList<Item> {
  readonly list: readonly Item[];
  /** Updates `list` immediately, then writes it. */
  set(list: readonly Item[]): Promise<void>;
  settled(): Promise<void>;
}

/** The attachments of a question that is not sent yet. */
export type DraftAttachments = StoredList<Attachment>;

/** A message that waits for the running answer. Its ID becomes that of its turn, so it is never sent twice. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
  /** The model it goes to, unless the conversation has one. */
  readonly model: string;
  readonly attachments: readonly Attachment[];
}

/** The messages that wait, oldest first. */
export type QueuedMessages = StoredList<QueuedMessage>;

/** Opens the JSON file of attachments. An unreadable file counts as empty, and is set aside before another is written. */
export function openDraftAttachments(path: string, onSetAside: OnSetAside): Promise<DraftAttachments> {
  return openList(path, onSetAside, {
    parse: ({ attachments }) => readAttachments(attachments),
    write: (attachments) => ({ attachments }),
  });
}

/** Opens the JSON file of queued messages, like that of attachments. */
export function openQueuedMessages(path: string, onSetAside: OnSetAside): Promise<QueuedMessages> {
  return openList(path, onSetAside, {
    parse: ({ messages }) => (Array.isArray(messages) ? messages.map(readMessage) : undefined),
    write: (messages) => ({ messages }),
  });
}

function readMessage(value: unknown): QueuedMessage {
  const { id, text, model, attachments } = value as Readonly<Record<string, unknown>>;
  const isRead = typeof id === 'string' && typeof text === 'string' && typeof model === 'string';
  const read = readAttachments(attachments);
  if (!isRead || !read) throw new Error('Not a message.');
  return { id, text, model, attachments: read };
}

interface ListFormat<Item> {
  /** Throws or returns `undefined` if the members are not such a list. */
  readonly parse: (members: Readonly<Record<string, unknown>>) => readonly Item[] | undefined;
  readonly write: (list: readonly Item[]) => object;
}

async function openList<Item>(
  path: string,
  onSetAside: OnSetAside,
  { parse, write }: ListFormat<Item>,
): Promise<StoredList<Item>> {
  const read = (text: string) => {
    try {
      const members = JSON.parse(text) as Readonly<Record<string, unknown>>;
      return members['version'] === 1 ? parse(members) : undefined;
    } catch {
      return undefined;
    }
  };
  const file = createTextFile(path, onSetAside, (text) => read(text) !== undefined);
  let list = read(await file.read().catch(() => '')) ?? [];
  return {
    get list() {
      return list;
    },
    set(next) {
      list = next;
      return file.write(next.length === 0 ? '' : JSON.stringify({ version: 1, ...write(next) }));
    },
    settled: file.settled,
  };
}
