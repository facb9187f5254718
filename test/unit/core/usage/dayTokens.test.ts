import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createDayTokens } from '../../../../src/core/usage/dayTokens';
import { createUsageLedger } from '../../../../src/core/usage/usageLedger';
import { setUpFolder } from '../../../support/temporaryFolder';

const used = (inputTokens: number) => ({ inputTokens, outputTokens: 0 });

describe('The tokens of a day', () => {
  const folder = setUpFolder();
  const open = (limit: () => number, account = 'mine') =>
    createDayTokens({
      ledger: createUsageLedger(folder.in('usage'), () => undefined),
      account,
      limit,
      refuse: (tokens, most) => new Error(`${tokens.inputTokens + tokens.outputTokens} of ${most}`),
    });

  it('are refused once they are used up, in every process, and of no other account', async () => {
    const [here, there] = [open(() => 100), open(() => 100)];
    (await here.check(60)).release();
    here.add(used(60), 'm');
    await here.settled();
    (await there.check(60)).release();
    there.add(used(40), 'm');
    await there.settled();
    await rejects(here.check(1), { message: '100 of 100' });
    await rejects(there.check(1), { message: '100 of 100' });
    (await open(() => 100, 'another').check(1)).release();
  });

  it('count those of what is under way, until that is over', async () => {
    const tokens = open(() => 100);
    const held = await Promise.allSettled(Array.from({ length: 10 }, () => tokens.check(30)));
    deepEqual(
      // Which of them was first is the disk's choice.
      held.map(({ status }) => status).toSorted(),
      ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', ...Array.from({ length: 6 }, () => 'rejected')],
    );
    for (const one of held) if (one.status === 'fulfilled') one.value.release();
    (await tokens.check(30)).release();
  });

  it('are counted before they are let go, so that nothing gets in between', async () => {
    const tokens = open(() => 100);
    const held = await tokens.check(100);
    tokens.add(used(100), 'm');
    held.release();
    held.release();
    await rejects(tokens.check(1), { message: '100 of 100' });
  });

  it('have the limit of the moment, and none at 0', async () => {
    let limit = 0;
    const tokens = open(() => limit);
    tokens.add(used(1_000_000), 'm');
    (await tokens.check(1)).release();
    limit = 1_000_000;
    await rejects(tokens.check(1));
    limit = 1_000_001;
    equal(typeof (await tokens.check(1)).release, 'function');
  });
});
