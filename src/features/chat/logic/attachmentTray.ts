import { randomUUID } from 'node:crypto';
import { characterCount } from '../../../core/conversation/attachment';
import type { Attachment } from '../../../core/conversation/attachment';
import type { DraftAttachments } from '../../../core/conversation/draftAttachments';
import type { AttachmentChip } from '../../../protocol/chat';

/** The attachments of the next question in the shown conversation, saved with its draft. */
export interface AttachmentTray {
  readonly chips: readonly AttachmentChip[];
  readonly attachments: readonly Attachment[];
  /** Replaces one of the same kind and label, unless it is another part of the same terminal. Throws `tooMany` if the tray is full. */
  add(attachment: Attachment): void;
  /** Throws on an unknown id. */
  get(id: string): Attachment;
  remove(ids: readonly string[]): void;
}

/** More chips than a user can keep in view; each has to be checked before sending. */
const maxAttachments = 20;

/** The events for the owner of a tray. */
export interface TrayListener {
  readonly changed: () => void;
  /** Receives write errors. The attachments remain as long as the conversation stays open. */
  readonly onError: (error: unknown) => void;
}

/** `draft` returns the draft attachments of the shown conversation; `undefined` while none is shown. */
export function createAttachmentTray(
  draft: () => DraftAttachments | undefined,
  { changed, onError }: TrayListener,
  tooMany: (most: number) => Error,
): AttachmentTray {
  /** Cached because counting the characters of all attachments every time takes too long. */
  const chips = new WeakMap<Attachment, AttachmentChip>();
  const list = () => draft()?.list ?? [];
  const chipOf = (attachment: Attachment): AttachmentChip => {
    const chip = chips.get(attachment) ?? toChip(randomUUID(), attachment);
    chips.set(attachment, chip);
    return chip;
  };
  const set = (next: readonly Attachment[]) => {
    void draft()?.set(next).catch(onError);
    changed();
  };
  return {
    get chips() {
      return list().map(chipOf);
    },
    get attachments() {
      return list();
    },
    add(attachment) {
      const others = list().filter((other) => !isSame(other, attachment));
      if (others.length >= maxAttachments) throw tooMany(maxAttachments);
      set([...others, attachment]);
    },
    get(id) {
      const found = list().find((attachment) => chipOf(attachment).id === id);
      if (!found) throw new Error("An attachment was requested that doesn't exist.");
      return found;
    },
    remove(removed) {
      set(list().filter((attachment) => !removed.includes(chipOf(attachment).id)));
    },
  };
}

function isSame(a: Attachment, b: Attachment): boolean {
  return a.kind === b.kind && a.label === b.label && (a.kind !== 'terminal' || a.text === b.text);
}

export function toChip(id: string, { kind, label, text, tokens, image }: Attachment): AttachmentChip {
  const size = image && { width: image.width, height: image.height };
  return { id, kind, label, characters: characterCount(text), tokens, ...(size && { size }) };
}
