import { characterCount } from '../../../core/conversation/attachment';
import type { Attachment } from '../../../core/conversation/attachment';
import type { AttachmentChip } from '../../../protocol/chat';

/** What is attached to the next question. Lives with the window. */
export interface AttachmentTray {
  readonly chips: readonly AttachmentChip[];
  readonly attachments: readonly Attachment[];
  /** Takes the place of one of the same kind and label. Throws `tooMany` when there is no room. */
  add(attachment: Attachment): void;
  /** Throws on an id it does not have. */
  get(id: string): Attachment;
  remove(ids: readonly string[]): void;
}

export interface AttachmentTrayOptions {
  readonly newId: () => string;
  readonly changed: () => void;
  readonly tooMany: (most: number) => Error;
}

/** More chips than a person keeps in view; each is one to check before sending. */
const maxAttachments = 20;

export function createAttachmentTray({ newId, changed, tooMany }: AttachmentTrayOptions): AttachmentTray {
  let items: readonly { readonly chip: AttachmentChip; readonly attachment: Attachment }[] = [];
  return {
    get chips() {
      return items.map(({ chip }) => chip);
    },
    get attachments() {
      return items.map(({ attachment }) => attachment);
    },
    add(attachment) {
      const { kind, label } = attachment;
      const others = items.filter(({ chip }) => chip.kind !== kind || chip.label !== label);
      if (others.length >= maxAttachments) throw tooMany(maxAttachments);
      items = [...others, { chip: toChip(newId(), attachment), attachment }];
      changed();
    },
    get(id) {
      const found = items.find(({ chip }) => chip.id === id);
      if (!found) throw new Error('Something that is not attached was asked for.');
      return found.attachment;
    },
    remove(ids) {
      items = items.filter(({ chip }) => !ids.includes(chip.id));
      changed();
    },
  };
}

export function toChip(id: string, { kind, label, text, tokens }: Attachment): AttachmentChip {
  return { id, kind, label, characters: characterCount(text), tokens };
}
