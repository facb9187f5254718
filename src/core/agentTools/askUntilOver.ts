import { setTimeout as wait } from 'node:timers/promises';
import type { Batch } from '../api/batches/batches.schema';
import { toListedBatch } from './agentBatch';
import type { AgentBatch } from './toolHost';

/** Polling interval for a batch that is not followed here. */
const askAgainMs = 5000;

/** Resolves to the batch's state once it is over or `waitMs` have passed. Asks at least once. */
export async function askUntilOver(
  ask: (signal: AbortSignal) => Promise<Batch>,
  waitMs: number,
  signal: AbortSignal,
): Promise<AgentBatch> {
  const until = Date.now() + waitMs;
  for (;;) {
    const batch = toListedBatch(await ask(signal));
    const left = until - Date.now();
    if (batch.isOver || left <= 0) return batch;
    await wait(Math.min(askAgainMs, left), undefined, { signal });
  }
}
