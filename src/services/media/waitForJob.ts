import type { Media, MediaJob } from './media';

/** Resolves with a job once it has ended, or with its state after `ms`. Throws the signal's reason. */
export async function waitForJob(
  media: Media,
  id: string,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
): Promise<MediaJob> {
  const waiting = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return media.whenEnded(id, waiting).catch((error: unknown) => {
    signal.throwIfAborted();
    const job = waiting.aborted ? media.jobs.find((one) => one.id === id) : undefined;
    if (!job) throw error;
    return job;
  });
}
