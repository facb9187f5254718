import type { Attachment } from '../../../core/conversation/attachment';
import type { AttachmentTray } from './attachmentTray';

/** Adds what can be read, in the given order; throws the first refusal then. */
export async function attachEach(
  readers: readonly (() => Promise<Attachment>)[],
  tray: Pick<AttachmentTray, 'add'>,
): Promise<void> {
  const outcomes = await Promise.allSettled(readers.map((read) => read()));
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') tray.add(outcome.value);
  const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refusal) throw refusal.reason;
}
