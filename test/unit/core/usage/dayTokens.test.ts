import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createDayTokens, inEach } from '../../../../src/core/usage/dayTokens';
import { dayOf, toLedgerLine } from '../../../../src/core/usage/usage';
import { createUsageLedger } from '../../../../src/core/usage/usageLedger';
import { setUpFolder } from '../../../support/temporaryFolder';

const used = (inputTokens: number) => ({ inputTokens, outputTokens: 0 });

describe('The tokens of a day', () => {
  const folder = setUpFolder();
  const open = (limit: () => number, account = 'mine') =>
    createDayTokens({
      ledger: createUsageLedger(folder.in('usage'), () => undefined),
      account,
      budget: () => ({ soft: 0, hard: limit() }),
      refuse: (tokens, most, expected) =>
        new Error(`${tokens.inputTokens + tokens.outputTokens} of ${most}${expected ? `, ${expected} more` : ''}`),
    });

  const file = (account: string) => folder.in(`usage/${account}/${dayOf(Date.now())}.jsonl`);

  it('are rejected once they are used, in every process, but not for other accounts', async () => {
    const [here, there] = [open(() => 100), open(() => 100)];
    (await here.check(60)).release();
    here.add(used(60), 'm', 'chat');
    await here.settled();
    (await there.check(40)).release();
    there.add(used(40), 'm', 'chat');
    await there.settled();
    await rejects(here.check(1), { message: '100 of 100' });
    await rejects(there.check(1), { message: '100 of 100' });
    const ofAnotherProcess = toLedgerLine({ at: Date.now(), model: 'm', ...used(20) });
    await appendFile(file('mine'), ofAnotherProcess);
    await rejects(here.check(1), { message: '120 of 100' });
    (await open(() => 100, 'another').check(1)).release();
  });

  it('include those of requests in progress, until they end', async () => {
    const tokens = open(() => 100);
    const held = await Promise.allSettled(Array.from({ length: 10 }, () => tokens.check(30)));
    deepEqual(
      // Which of them was first is the disk's choice.
      held.map(({ status }) => status).toSorted(),
      ['fulfilled', 'fulfilled', 'fulfilled', ...Array.from({ length: 7 }, () => 'rejected')],
    );
    for (const one of held) if (one.status === 'fulfilled') one.value.release();
    (await tokens.check(30)).release();
  });

  it('are reserved before a request starts, without a gap', async () => {
    const tokens = open(() => 100);
    const held = await tokens.check(100);
    tokens.add(used(100), 'm', 'chat');
    held.release();
    held.release();
    await rejects(tokens.check(1), { message: '100 of 100' });
  });

  it('have the current limit, and none at 0', async () => {
    let limit = 0;
    const tokens = open(() => limit);
    tokens.add(used(1_000_000), 'm', 'chat');
    (await tokens.check(1)).release();
    limit = 1_000_000;
    await rejects(tokens.check(1));
    limit = 1_000_002;
    equal(typeof (await tokens.check(1)).release, 'function');
  });

  it('are rejected for a request that exceeds the rest, alone or with those in progress', async () => {
    const tokens = open(() => 1000);
    await rejects(tokens.check(1_000_000_000), { message: '0 of 1000, 1000000000 more' });
    const first = await tokens.check(600);
    await rejects(tokens.check(401), { message: '600 of 1000, 401 more' });
    const second = await tokens.check(400);
    await rejects(tokens.check(1), { message: '1000 of 1000' });
    first.release();
    second.release();
    tokens.add(used(600), 'm', 'chat');
    await rejects(tokens.check(401), { message: '600 of 1000, 401 more' });
    (await tokens.check(400)).release();
  });

  it('include requests in progress of all clients in this process', async () => {
    const [here, there] = [open(() => 100), open(() => 100)];
    const held = await here.check(60);
    await rejects(there.check(60));
    await rejects(there.check(60));
    held.release();
    (await there.check(60)).release();
  });

  it('are limited by each of two budgets, and a request that either rejects reserves none', async () => {
    const [all, own] = [open(() => 100), open(() => 10, 'own')];
    const both = inEach([all, own]);
    const held = await both.check(10);
    await rejects(both.check(5), { message: '10 of 10' });
    (await all.check(90)).release();
    held.release();
    both.add(used(10), 'm', 'chat');
    await both.settled();
    for (const account of ['mine', 'own']) match(await readFile(file(account), 'utf8'), /"inputTokens":10\b/);
    for (const one of [both, own]) await rejects(one.check(1), { message: '10 of 10' });
    await rejects(all.check(91), { message: '10 of 100, 91 more' });
    (await all.check(90)).release();
  });

  it("are limited even if the ledger can't be written", async () => {
    await writeFile(folder.in('usage'), 'no folder');
    const [here, there] = [open(() => 100), open(() => 100)];
    here.add(used(100), 'm', 'chat');
    await rejects(there.check(1), { message: '100 of 100' });
    await here.settled();
    await rejects(here.check(1), { message: '100 of 100' });
  });

  it('warn once when the warning level is passed', async () => {
    let warned = 0;
    const tokens = createDayTokens({
      ledger: createUsageLedger(folder.in('usage'), () => undefined),
      account: 'mine',
      budget: () => ({ soft: 50, hard: 0 }),
      refuse: () => new Error('refused'),
      onWarn: () => (warned += 1),
    });
    (await tokens.check(1)).release();
    equal(warned, 0);
    tokens.add(used(50), 'm', 'chat');
    (await tokens.check(1)).release();
    (await tokens.check(1)).release();
    equal(warned, 1);
  });
});
