import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isBudgetRefusal } from '../../../../src/core/usage/dayTokens';
import { DaySpending, type CappedDay } from '../../../../src/core/usage/daySpending';
import { noUsage, toLedgerLine } from '../../../../src/core/usage/usage';
import { createUsageLedger } from '../../../../src/core/usage/usageLedger';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('The spending of a day', () => {
  const folder = setUpFolder();
  const noon = new Date(2026, 10, 20, 12).getTime();
  const minute = 60_000;
  const mine = { baseUrl: 'https://one.example/v1', key: 'sk-of-the-first-account' };
  const problems: unknown[] = [];
  const ledger = () => createUsageLedger(folder.in('usage'), (error) => problems.push(error));
  const open = () =>
    new DaySpending({
      path: folder.in('spending.json'),
      ledger: ledger(),
      account: 'mine',
      onError: (error) => problems.push(error),
    });
  const used = (cost: number | undefined, at: number) =>
    ledger().add('mine', { at, model: 'a', inputTokens: 1, outputTokens: 1, ...(cost !== undefined && { cost }) });
  afterEach(() => deepEqual(problems.splice(0), []));

  it('is unknown before the balance was loaded and while no price is known', async () => {
    equal(await open().spent(noon), undefined);
    await used(undefined, noon);
    equal(await open().spent(noon), undefined);
  });

  it('is the exact decrease of the balance, in all windows and after a restart', async () => {
    const [one, other] = [open(), open()];
    await one.noteBalance('20.10', noon, mine);
    await other.noteBalance('20.00', noon + minute, mine);
    await one.noteBalance('20.00', noon + 2 * minute, mine);
    await other.noteBalance('19.3', noon + 3 * minute, mine);
    equal(await open().spent(noon), 0.8);
  });

  it("includes requests and items that others record, also without a price, which isn't spending", async () => {
    const spending = open();
    const mark = await spending.markElsewhere(noon);
    await spending.addPiece('clip', undefined, noon);
    await used(undefined, noon);
    equal(await spending.markElsewhere(noon), mark);
    equal(await spending.spent(noon), undefined);
    await appendFile(folder.in('spending/2026-11-20.jsonl'), toLedgerLine({ ...noUsage, at: noon, model: 'clip' }));
    const after = await spending.markElsewhere(noon);
    ok(after !== mark);
    await appendFile(folder.in('usage/mine/2026-11-20.jsonl'), toLedgerLine({ ...noUsage, at: noon, model: 'a' }));
    ok((await spending.markElsewhere(noon)) !== after);
  });

  it("doesn't subtract a top-up", async () => {
    const spending = open();
    for (const [index, balance] of ['5', '4', '54', '53.5'].entries())
      await spending.noteBalance(balance, noon + index * minute, mine);
    equal(await spending.spent(noon), 1.5);
  });

  it("ignores a balance older than the last one, and text that isn't an amount", async () => {
    const spending = open();
    await spending.noteBalance('5', noon, mine);
    await spending.noteBalance('4', noon + 2 * minute, mine);
    await spending.noteBalance('5', noon + minute, mine);
    for (const odd of ['', 'much', '1e9', '9'.repeat(30)]) await spending.noteBalance(odd, noon + 3 * minute, mine);
    equal(await spending.spent(noon), 1);
    await spending.noteBalance('3.5', noon + 4 * minute, mine);
    equal(await spending.spent(noon), 1.5);
  });

  it('starts over at midnight', async () => {
    const spending = open();
    await spending.noteBalance('5', noon, mine);
    await spending.noteBalance('4', noon + minute, mine);
    const tomorrow = noon + 24 * 60 * minute;
    equal(await spending.spent(tomorrow), undefined);
    await spending.noteBalance('3', tomorrow, mine);
    equal(await spending.spent(tomorrow), 0);
    await spending.noteBalance('2.5', tomorrow + minute, mine);
    equal(await spending.spent(tomorrow), 0.5);
  });

  it('keeps the decrease of the balance on earlier days, also after a restart and without a balance on some', async () => {
    equal(await open().falls(), undefined);
    const day = 24 * 60 * minute;
    for (const [balance, at] of [
      ['5', 0],
      ['4', minute],
      ['4', day],
      ['3.75', day + minute],
      ['3.75', 3 * day],
      ['3.7', 3 * day + minute],
    ] as const)
      await open().noteBalance(balance, noon + at, mine);
    const falls = await open().falls();
    deepEqual(
      [...(falls?.days ?? [])],
      [
        ['2026-11-20', 1],
        ['2026-11-21', 0.25],
        ['2026-11-23', 0.05],
      ],
    );
    for (let days = 4; days < 60; days++) await open().noteBalance('3.7', noon + days * day, mine);
    equal((await open().falls())?.days.size, 32);
  });

  it('adds overnight spending to the day before, and excludes it from today and from longer gaps', async () => {
    const hour = 60 * minute;
    await open().noteBalance('10', noon, mine);
    await open().noteBalance('9', noon + 6 * hour, mine);
    await open().noteBalance('6', noon + 21 * hour, mine);
    equal(await open().spent(noon + 21 * hour), 0);
    deepEqual(
      [...((await open().falls())?.days ?? [])],
      [
        ['2026-11-20', 4],
        ['2026-11-21', 0],
      ],
    );
    await open().noteBalance('1', noon + 96 * hour, mine);
    equal((await open().falls())?.days.get('2026-11-21'), 0);
  });

  it('includes spending around midnight whose day is unknown', async () => {
    const midnight = new Date(noon).setHours(24, 0, 0, 0);
    const spending = open();
    await spending.noteBalance('10', midnight - 20 * minute, mine);
    await spending.noteBalance('9', midnight - 10 * minute, mine);
    await spending.noteBalance('7', midnight + 10 * minute, mine);
    equal(await spending.spent(midnight + 10 * minute), 2);
  });

  it('continues after a clock that was ahead is set back, and skips a late balance', async () => {
    const spending = open();
    await spending.noteBalance('10', noon + 48 * 60 * minute, mine);
    await spending.noteBalance('9', noon, mine);
    await spending.noteBalance('8', noon + 2 * minute, mine);
    await spending.noteBalance('9', noon + minute, mine);
    equal(await spending.spent(noon + 2 * minute), 1);
  });

  it('is the cost of requests if that is more, or if the balance is unknown', async () => {
    await used(0.25, noon);
    await used(0.5, noon + minute);
    equal(await open().spent(noon), 0.75);
    await open().noteBalance('5', noon, mine);
    equal(await open().spent(noon), 0.75);
    await open().noteBalance('4', noon + minute, mine);
    equal(await open().spent(noon), 1);
  });

  it('rejects requests once the cap is reached, and none without a cap', async () => {
    const check = (cap: number) => open().check(cap, (day) => new Error(`${day.spent} of ${day.cap}`));
    await used(0.75, Date.now());
    await check(0);
    await check(0.76);
    await rejects(check(0.75), (error) => isBudgetRefusal(error) && error.message === '0.75 of 0.75');
  });

  it('rejects a request that would exceed the cap together with jobs in progress, but not one that just reaches it', async () => {
    const check = (reserved: number, expected: number) =>
      open().check(1, (day) => new Error(JSON.stringify(day)), { reserved, expected });
    await check(0.5, 0.5);
    await rejects(check(0.5, 0.6), { message: '{"spent":0,"reserved":0.5,"expected":0.6,"cap":1}' });
    await used(0.1, Date.now());
    await used(0.2, Date.now());
    // 0.1 + 0.2 is more than 0.3.
    await check(0.5, 0.2);
    await check(0.7, 0);
    await rejects(check(0.8, 0), (error) => isBudgetRefusal(error));
  });

  describe('while requests are in progress', () => {
    const refuse = (day: CappedDay) => new Error(JSON.stringify(day));
    const now = () => Date.now();
    const hold = (of: DaySpending, expected: number, reserved = 0) =>
      of.hold(1, refuse, expected, async () => reserved);
    const refused = (reserved: number, expected: number, spent = 0) => ({
      message: JSON.stringify({ spent, reserved, expected, cap: 1 }),
    });

    it('rejects a request whose price would exceed the cap together with theirs, in the same window', async () => {
      const spending = open();
      const asked = await Promise.allSettled([0.5, 0.5, 0.5].map((price) => hold(spending, price)));
      deepEqual(
        asked.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected'],
      );
      await rejects(hold(spending, 0.1), (error) => isBudgetRefusal(error));
      await rejects(hold(spending, 0.1), refused(1, 0.1));
    });

    it('rejects a request that would exceed the cap together with those of another window', async () => {
      const [one, other] = [open(), open()];
      const held = await hold(one, 0.7);
      await rejects(hold(other, 0.4), refused(0.7, 0.4));
      await rejects(hold(other, 0.2, 0.2), refused(0.2 + 0.7, 0.2));
      equal(await other.held(), 0.7);
      const small = await hold(other, 0.3);
      await held.release();
      await small.release();
      equal(await one.held(), 0);
      await hold(other, 1);
    });

    it('sends at most one of two requests that start at the same moment in two windows and exceed the cap together', async () => {
      for (let times = 0; times < 10; times++) {
        const asked = await Promise.allSettled([open(), open()].map((window) => hold(window, 0.6)));
        const held = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        ok(held.length <= 1, `${held.length} were sent`);
        for (const one of held) await one.release();
      }
    });

    it('rejects a request that would exceed the cap together with a job that starts during the check', async () => {
      const [one, other] = [open(), open()];
      let job = 0;
      const jobs = async () => {
        // A job is on record before it is checked, and sees the reservation only if that is on disk.
        if ((await other.held()) === 0) job = 0.6;
        return job;
      };
      const held = await one.hold(1, refuse, 0.6, jobs);
      equal(job, 0);
      await held.release();
      job = 0.6;
      await rejects(one.hold(1, refuse, 0.6, jobs), refused(0.6, 0.6));
    });

    it('counts a charge instead of its reservation, and never both', async () => {
      const spending = open();
      const first = await hold(spending, 0.6);
      // An agent sends its next request as soon as a response has ended.
      void first.release(used(0.5, now()));
      const second = await hold(spending, 0.5);
      let charge = () => {};
      const charged = new Promise<void>((resolve) => (charge = resolve));
      void second.release(charged.then(() => used(0.25, now())));
      const third = hold(spending, 0.5);
      for (let times = 0; times < 10; times++) equal(await open().held(), 0.5);
      charge();
      await rejects(third, refused(0, 0.5, 0.75));
      await hold(spending, 0.25);
    });

    it('reserves nothing for an unknown price, and still stops it at the cap', async () => {
      const spending = open();
      await hold(spending, 0);
      equal(await spending.held(), 0);
      await used(1, now());
      await rejects(hold(spending, 0), refused(0, 0, 1));
    });

    it('drops the reservations of a killed window', async () => {
      const dead = spawnSync(process.execPath, ['-e', '']).pid;
      const left = { token: 'of-a-window', pid: dead, host: hostname(), where: '', note: 0.9 };
      await mkdir(folder.in('spending.held'), { recursive: true });
      await writeFile(folder.in('spending.held/one.1'), JSON.stringify(left));
      await hold(open(), 0.8);
    });

    it("still counts its own window's requests if they can't be written", async () => {
      await writeFile(folder.in('spending.held'), 'not a folder');
      const spending = open();
      const held = await hold(spending, 0.7);
      await rejects(hold(spending, 0.4), refused(0.7, 0.4));
      await held.release();
      await hold(spending, 1);
      ok(problems.splice(0).length > 0);
    });
  });

  it('counts tokens once if their folder is next to the file', async () => {
    const beside = createUsageLedger(folder.path(), (error) => problems.push(error));
    const spending = new DaySpending({
      path: folder.in('spending.json'),
      ledger: beside,
      account: 'usage',
      onError: (error) => problems.push(error),
    });
    await beside.add('usage', { at: noon, model: 'a', inputTokens: 1, outputTokens: 1, cost: 0.25 });
    equal(await spending.spent(noon), 0.25);
    await spending.addPiece('flux', 0.5, noon);
    equal(await spending.spent(noon), 0.75);
    deepEqual((await beside.total('usage', noon)).cost, 0.25);
  });

  it('excludes the difference between two accounts when the key or the URL changes, and keeps earlier spending', async () => {
    const [one, other] = [open(), open()];
    await one.noteBalance('20', noon, mine);
    await one.noteBalance('19', noon + minute, mine);
    const others = [
      { ...mine, key: 'sk-of-another-account' },
      { ...mine, baseUrl: 'https://two.example/v1' },
    ];
    for (const [index, another] of others.entries()) {
      const at = noon + (2 + 2 * index) * minute;
      await one.noteBalance('3', at, another);
      await other.noteBalance('2.5', at + minute, another);
    }
    equal(await open().spent(noon), 2);
    ok(!(await readFile(folder.in('spending.json'), 'utf8')).includes('sk-'));
  });

  it('excludes the difference between balances in two currencies', async () => {
    const spending = open();
    const [dollars, yuan] = ['USD', 'CNY'].map((currency) => ({ ...mine, currency }));
    await spending.noteBalance('50', noon, dollars!);
    await spending.noteBalance('10', noon + minute, yuan!);
    equal(await spending.spent(noon), 0);
    await spending.noteBalance('9', noon + 2 * minute, yuan!);
    equal(await spending.spent(noon), 1);
  });

  it('starts with a new balance if an earlier version stored none for the account', async () => {
    const day = { day: '2026-11-20', spent: '1', balance: '20', at: noon };
    await writeFile(folder.in('spending.json'), JSON.stringify(day));
    await open().noteBalance('5', noon + minute, mine);
    await open().noteBalance('4', noon + 2 * minute, mine);
    equal(await open().spent(noon), 2);
  });

  it('includes per-item charges, with or without a balance, in all windows', async () => {
    await open().addPiece('painter', 0.2, noon);
    await open().addPiece('painter', 0.3, noon + minute);
    equal(await open().spent(noon), 0.5);
    await used(0.25, noon);
    equal(await open().spent(noon), 0.75);
    await open().noteBalance('5', noon, mine);
    await open().noteBalance('4.5', noon + minute, mine);
    equal(await open().spent(noon), 0.75);
    await open().noteBalance('4', noon + 2 * minute, mine);
    equal(await open().spent(noon), 1);
    equal(await open().spent(noon + 24 * 60 * minute), undefined);
  });

  it('survives a damaged file', async () => {
    const day = { day: '2026-11-20', spent: '3', balance: '5', at: noon };
    const store = (more: object) => writeFile(folder.in('spending.json'), JSON.stringify({ ...day, ...more }));
    for (const [name, values] of Object.entries({
      day: [7, undefined],
      spent: ['-3', 'x', 7, undefined],
      balance: ['x', 7, undefined],
      at: ['x', undefined],
    }))
      for (const value of values) {
        await store({ [name]: value });
        equal(await open().spent(noon), undefined, `${name}: ${value}`);
      }
    for (const earlier of ['x', [7, { day: 7, spent: '1' }, { day: '2026-11-19', spent: 1 }]]) {
      await store({ earlier });
      deepEqual([...((await open().falls())?.days ?? [])], [['2026-11-20', 3]]);
    }
    await store({ at: undefined });
    await open().noteBalance('5', noon, mine);
    await open().noteBalance('4', noon + minute, mine);
    equal(await open().spent(noon), 1);
  });
});
