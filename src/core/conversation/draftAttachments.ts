import { readAttachments } from './attachment';
import type { Attachment } from './attachment';
import type { OnSetAside } from '../storage/storedFile';
import { createTextFile } from '../storage/storedFile';

/** The attachments of a question that is not sent yet. */
export interface DraftAttachments {
  readonly list: readonly Attachment[];
  /** Updates `list` immediately, then writes it. */
  set(list: readonly Attachment[]): Promise<void>;
  settled(): Promise<void>;
}

/** Opens the JSON file of attachments. An unreadable file counts as empty, and is set aside before another is written. */
export async function openDraftAttachments(path: string, onSetAside: OnSetAside): Promise<DraftAttachments> {
  const file = createTextFile(path, onSetAside, (text) => parse(text) !== undefined);
  let list = parse(await file.read().catch(() => '')) ?? [];
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

/** Returns `undefined` if the text is not such a file. */
function parse(text: string): readonly Attachment[] | undefined {
  try {
    const { version, attachments } = JSON.parse(text) as { readonly version?: unknown; readonly attachments?: unknown };
    return version === 1 ? readAttachments(attachments) : undefined;
  } catch {
    return undefined;
  }
}
