import { characterCount } from '../../../core/conversation/attachment';
import type { Attachment } from '../../../core/conversation/attachment';
import type { DraftAttachments } from '../../../core/conversation/draftAttachments';
import type { AttachmentChip } from '../../../protocol/chat';

/** What is attached to the next question of the conversation that is shown, and is kept with its draft. */
export interface AttachmentTray {
  readonly chips: readonly AttachmentChip[];
  readonly attachments: readonly Attachment[];
  /** Takes the place of one of the same kind and label, if it is not another part of the same terminal. Throws `tooMany` when there is no room. */
  add(attachment: Attachment): void;
  /** Throws on an id it does not have. */
  get(id: string): Attachment;
  remove(ids: readonly string[]): void;
}

export interface AttachmentTrayOptions {
  /** Of the conversation that is shown; `undefined` while none is. */
  readonly draft: () => Pick<DraftAttachments, 'list' | 'set'> | undefined;
  readonly newId: () => string;
  readonly changed: () => void;
  readonly tooMany: (most: number) => Error;
  /** They could not be written: they are there as long as the conversation stays open. */
  readonly onTrouble: (error: unknown) => void;
}

/** More chips than a person keeps in view; each is one to check before sending. */
const maxAttachments = 20;

export function createAttachmentTray(options: AttachmentTrayOptions): AttachmentTray {
  /** Counting the characters of all of them takes too long to do it every time. */
  const chips = new WeakMap<Attachment, AttachmentChip>();
  const list = () => options.draft()?.list ?? [];
  const chipOf = (attachment: Attachment): AttachmentChip => {
    const chip = chips.get(attachment) ?? toChip(options.newId(), attachment);
    chips.set(attachment, chip);
    return chip;
  };
  const set = (next: readonly Attachment[]) => {
    void options.draft()?.set(next).catch(options.onTrouble);
    options.changed();
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
      if (others.length >= maxAttachments) throw options.tooMany(maxAttachments);
      set([...others, attachment]);
    },
    get(id) {
      const found = list().find((attachment) => chipOf(attachment).id === id);
      if (!found) throw new Error('Something that is not attached was asked for.');
      return found;
    },
    remove(gone) {
      set(list().filter((attachment) => !gone.includes(chipOf(attachment).id)));
    },
  };
}

function isSame(a: Attachment, b: Attachment): boolean {
  return a.kind === b.kind && a.label === b.label && (a.kind !== 'terminal' || a.text === b.text);
}

export function toChip(id: string, { kind, label, text, tokens }: Attachment): AttachmentChip {
  return { id, kind, label, characters: characterCount(text), tokens };
}
