import { setTimeout as wait } from 'node:timers/promises';
import { HeldElsewhere } from './leases';
import type { Lease, Leases } from './leases';

const attempts = 400;
const waitMs = 25;

/**
 * Runs `work` while nobody else runs work under the same id; waits for others, usually milliseconds. Throws `HeldElsewhere` after
 * 10 seconds.
 */
export async function locked<T>(leases: Pick<Leases, 'take'>, id: string, work: () => Promise<T>): Promise<T> {
  const lease = await takeLock(leases, id);
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

async function takeLock(leases: Pick<Leases, 'take'>, id: string): Promise<Lease> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await leases.take(id);
    } catch (error) {
      if (!(error instanceof HeldElsewhere) || attempt >= attempts) throw error;
      await wait(waitMs);
    }
  }
}
