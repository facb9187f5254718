import type { Job } from './job';

/** How long jobs that have ended stay on record. */
const retentionMs = 30 * 24 * 60 * 60 * 1000;

/** `now`: Unix milliseconds. */
export async function forgetOld(
  engine: { readonly jobs: readonly Job[]; forget(id: string): Promise<void> },
  now: number,
): Promise<void> {
  for (const { id, stage, createdAt, triedAt = createdAt } of engine.jobs) {
    const isOver = stage === 'ended' || stage === 'refused';
    if (isOver && now - Math.max(createdAt, triedAt) > retentionMs) await engine.forget(id);
  }
}
