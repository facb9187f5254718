import { readAttachments } from './attachment';
import type { Attachment } from './attachment';
import { createWholeFile } from '../files/wholeFile';

/** What goes along with a question that is not sent yet. */
export interface DraftAttachments {
  readonly list: readonly Attachment[];
  /** Holds at once, and is written then. */
  set(list: readonly Attachment[]): Promise<void>;
  settled(): Promise<void>;
}

/** The file holds them as JSON; one that cannot be read holds none. */
export async function openDraftAttachments(path: string): Promise<DraftAttachments> {
  const file = createWholeFile(path);
  let list = parse(await file.read().catch(() => ''));
  return {
    get list() {
      return list;
    },
    set(next) {
      list = next;
      return file.write(next.length === 0 ? '' : JSON.stringify({ version: 1, attachments: next }));
    },
    settled: file.settled,
  };
}

function parse(text: string): readonly Attachment[] {
  try {
    return readAttachments((JSON.parse(text) as { readonly attachments?: unknown } | null)?.attachments);
  } catch {
    return [];
  }
}
