import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { appendFile, makeFolder } from '../../core/files/privateFiles';
import type { Job } from '../../core/jobs/job';
import { dayOf } from '../../core/usage/usage';
import type { McpEnvironment } from './environment';

export interface DailyLimit {
  /**
   * Runs `order` and counts it, unless it was certainly not begun. Throws `AgentProblem` where as many as are allowed were ordered today.
   * `order` rejects only where nothing was sent.
   */
  within<J extends Job>(order: () => Promise<J>): Promise<J>;
}

/** Counts what is ordered on a day, with other servers of the same records, and holds it to the limit of the day. */
export function createDailyLimit({ state, dailyOrders }: Pick<McpEnvironment, 'state' | 'dailyOrders'>): DailyLimit {
  const folder = join(state, 'orders');
  let last: Promise<unknown> = Promise.resolve();

  /** Resolves to how it is given back. */
  const take = async (): Promise<() => Promise<void>> => {
    const file = join(folder, dayOf(Date.now()));
    await makeFolder(folder);
    // Before it is counted: of two servers at once one may be refused too early, none goes beyond the limit.
    await appendFile(file, '+');
    const giveBack = () => appendFile(file, '-');
    if (countOf(await readFile(file, 'utf8')) <= dailyOrders) return giveBack;
    await giveBack();
    throw new AgentProblem(
      `As many orders as are allowed on a day were made today (${dailyOrders}), so nothing was sent. The count starts anew at midnight. Tell the person; do not try again.`,
    );
  };

  return {
    async within(order) {
      if (dailyOrders === 0) return order();
      const taken = last.then(take);
      last = taken.catch(() => undefined);
      const giveBack = await taken;
      let isBegun = false;
      try {
        const job = await order();
        isBegun = job.stage !== 'refused';
        return job;
      } finally {
        if (!isBegun) await giveBack();
      }
    },
  };
}

/** One sign for each order, and one for each that was given back. */
function countOf(signs: string): number {
  return signs.split('+').length - signs.split('-').length;
}
