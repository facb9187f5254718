import { type ReadonlySignal, signal } from '@preact/signals';
import type { AttachmentChip } from '../../../src/protocol/chat';
import type { Attempt, ChatHost } from './chatHost';

/** The attachments of the next question. The host stores them; the page refers to them by id. */
export interface Attachments {
  readonly chips: ReadonlySignal<readonly AttachmentChip[]>;
  refresh(): Promise<void>;
  attach(): Promise<void>;
  detach(id: string): Promise<void>;
  show(id: string): Promise<void>;
  showSent(turnId: string, index: number): Promise<void>;
}

export function createAttachments(host: ChatHost, attempt: Attempt): Attachments {
  const chips = signal<readonly AttachmentChip[]>([]);
  host.on('chat/attachmentsChanged', (news) => (chips.value = news.chips));
  return {
    chips,
    async refresh() {
      const news = await attempt(host.call('chat/attachments', {}));
      if (news) chips.value = news.chips;
    },
    attach: async () => void (await attempt(host.call('chat/attach', {}))),
    detach: async (id) => void (await attempt(host.call('chat/detach', { id }))),
    show: async (id) => void (await attempt(host.call('chat/showAttachment', { id }))),
    showSent: async (turnId, index) => void (await attempt(host.call('chat/showSentAttachment', { turnId, index }))),
  };
}
