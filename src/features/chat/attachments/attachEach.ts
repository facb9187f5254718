import type { Attachment } from '../../../core/conversation/attachment';
import type { AttachmentTray } from './attachmentTray';

/** Adds everything that can be read, in the given order, then throws the first error. */
export async function attachEach(readers: readonly (() => Promise<Attachment>)[], tray: AttachmentTray): Promise<void> {
  const outcomes = await Promise.allSettled(readers.map((read) => read()));
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') tray.add(outcome.value);
  const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refusal) throw refusal.reason;
}
