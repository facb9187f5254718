import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { appendShared } from '../../core/storage/appendLog';
import type { ExpectedCharge } from '../../core/prices/paidWork';
import type { Job } from '../../core/jobs/job';
import { dayOf } from '../../core/usage/usage';
import type { McpEnvironment } from './environment';

export interface DailyLimit {
  /**
   * Runs `submit` and counts it, unless it certainly did not start. Throws `AgentProblem` if today's limit or spending cap is reached.
   * `submit` may reject only if nothing was sent.
   */
  within<J extends Job>(submit: () => Promise<J>, expected?: ExpectedCharge): Promise<J>;
}

/** Counts the jobs of a day, together with other servers that share the same state folder, and enforces the daily limit. */
export function createDailyLimit(
  { state, dailyRequests }: Pick<McpEnvironment, 'state' | 'dailyRequests'>,
  holdPaid?: (expected?: ExpectedCharge) => Promise<void>,
): DailyLimit {
  const folder = join(state, 'orders');
  let last: Promise<unknown> = Promise.resolve();

  /** Counts one job. Resolves to a function that undoes this. */
  const take = async (): Promise<() => Promise<void>> => {
    const file = join(folder, dayOf(Date.now()));
    // Appends before counting: of two concurrent servers, one may be refused too early, but neither can exceed the limit.
    await appendShared(file, '+');
    const giveBack = () => appendShared(file, '-');
    if (countOf(await readFile(file, 'utf8')) <= dailyRequests) return giveBack;
    await giveBack();
    throw new AgentProblem(
      `The daily limit of ${dailyRequests} images, videos, and batches is reached, so the request was not sent. The limit resets at midnight. Tell the user. Do not retry.`,
    );
  };

  return {
    async within(submit, expected) {
      await holdPaid?.(expected);
      if (dailyRequests === 0) return submit();
      const taken = last.then(take);
      last = taken.catch(() => undefined);
      const giveBack = await taken;
      let isBegun = false;
      try {
        const job = await submit();
        isBegun = job.stage !== 'refused';
        return job;
      } finally {
        if (!isBegun) await giveBack();
      }
    },
  };
}

/** The file holds a `+` for each job and a `-` for each one that was undone. */
function countOf(signs: string): number {
  return signs.split('+').length - signs.split('-').length;
}
