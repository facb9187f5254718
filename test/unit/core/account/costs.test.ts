import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { CostLearner, readCosts } from '../../../../src/core/account/costs';
import { ApiError } from '../../../../src/core/api/errors';
import type { BalanceReading, LearnedCost, PaidEnd } from '../../../../src/core/account/costs';
import type { PaidCalls } from '../../../../src/core/account/paidCalls';
import type { Job } from '../../../../src/core/jobs/job';

const second = 1000;
const image = (of: string, model = 'flux', count = 1): Exclude<PaidEnd, string> => ({
  kind: 'image',
  model,
  count,
  of,
});

/** An account and a clock that goes on when it is told to. Amounts are in hundredths. */
function createAccount({ known }: { readonly known?: BalanceReading } = {}) {
  let now = 1_000_000;
  let balance = 10_000;
  let reading = known;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const account = {
    reads: 0,
    changes: 0,
    isReadable: true,
    calls: { begun: 0, open: 0, endedAt: 0 } as PaidCalls,
    jobs: [] as Job[],
    /** Those that another window has on disk. */
    onDisk: [] as Job[],
    usedElsewhere: '',
    files: new Map<string, unknown>(),
    /** As the service says it now. */
    reported: (): BalanceReading => ({
      info: { totalBalance: (balance / 100).toFixed(2) },
      requestedAt: now,
      readAt: now,
    }),
    bill: (hundredths: number) => (balance -= hundredths),
    get now() {
      return now;
    },
    /** Lets time pass, and all that is due. */
    async pass(ms: number) {
      for (const end = now + ms; ;) {
        await settled();
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        now = next ? Math.max(now, next.at) : end;
        if (!next) return settled();
        timers.delete(next);
        next.run();
      }
    },
    learner: undefined as unknown as CostLearner,
    open() {
      account.learner = new CostLearner({
        file: (id) => ({
          read: async () => readCosts(account.files.get(id)),
          write: async (costs) => void account.files.set(id, JSON.parse(JSON.stringify(costs))),
        }),
        known: () => reading,
        async read() {
          account.reads++;
          reading = account.isReadable ? account.reported() : undefined;
          return reading;
        },
        calls: () => account.calls,
        usedElsewhere: async () => account.usedElsewhere,
        jobs: () => account.jobs,
        loadJobs: async () => account.jobs.push(...account.onDisk.splice(0)),
        now: () => now,
        setTimer(ms, run) {
          const timer = { at: now + ms, run };
          timers.add(timer);
          return () => timers.delete(timer);
        },
        onChange: () => (account.changes += 1),
        onError: (error) => {
          throw error;
        },
      });
      return account;
    },
    /** Something paid for that takes two seconds and is billed at its end. */
    async make(end: PaidEnd, { bill = 3, ms = 2 * second }: { readonly bill?: number; readonly ms?: number } = {}) {
      const made = account.begin(end);
      await account.pass(ms);
      account.bill(bill);
      made.over();
      await settled();
    },
    begin(end: PaidEnd) {
      let over = () => {};
      const work = new Promise<void>((resolve) => (over = resolve));
      void account.learner.around(
        'anna',
        () => work,
        () => end,
      );
      return { over };
    },
    costOf(thing: string) {
      const cost = account.learner.of(thing);
      return cost && 'fell' in cost ? cost : undefined;
    },
    whyNot(thing: string) {
      const cost = account.learner.of(thing);
      return cost && 'unmeasured' in cost ? cost.unmeasured : undefined;
    },
    last: (kind: LearnedCost['kind'] = 'image') =>
      account.learner.last('anna', kind).map(({ model, fell, count }) => ({ model, fell, count })),
  };
  return account.open();
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('measuring costs by the balance', () => {
  it('learns nothing while another window or program uses tokens of the account', async () => {
    const account = createAccount();
    const made = account.make(image('a'));
    account.usedElsewhere = '2026-11-21 40';
    await made;
    await account.pass(30 * second);
    deepEqual([account.last(), account.whyNot('a')], [[], 'shared']);
    await account.pass(30 * second);
    await account.make(image('b'));
    await account.pass(30 * second);
    equal(account.costOf('b')?.fell, '0.03');
  });

  it("learns nothing from a decrease that includes an image of another window whose job isn't loaded yet", async () => {
    const account = createAccount();
    await account.make(image('a'));
    const times = { createdAt: account.now, changedAt: account.now };
    account.onDisk = [{ id: 'theirs', profileId: 'anna', baseUrl: '', stage: 'ended', ...times }];
    account.bill(4);
    await account.pass(30 * second);
    deepEqual([account.last(), account.whyNot('a')], [[], 'shared']);
  });

  it('reports the decrease of the balance per item, with one request before and one after', async () => {
    const account = createAccount();
    await account.make(image('job 1'));
    deepEqual(account.last(), []);
    await account.pass(3 * second);
    deepEqual(account.last(), [{ model: 'flux', fell: '0.03', count: 1 }]);
    equal(account.costOf('job 1')?.fell, '0.03');
    equal(account.reads, 2);
    await account.pass(60 * second);
    equal(account.reads, 2);
  });

  it('reports a change only if costs differ from the loaded ones', async () => {
    const account = createAccount();
    await account.learner.load('anna');
    await account.make(image('job 1'));
    await account.pass(3 * second);
    const { changes } = account;
    ok(changes > 0);
    await account.learner.load('anna');
    equal(account.changes, changes);
  });

  it('uses the balance after one item as the balance before the next', async () => {
    const account = createAccount();
    await account.make(image('job 1'));
    await account.pass(3 * second);
    await account.make(image('job 2', 'qwen'), { bill: 2 });
    await account.pass(3 * second);
    deepEqual(account.last(), [
      { model: 'flux', fell: '0.03', count: 1 },
      { model: 'qwen', fell: '0.02', count: 1 },
    ]);
    equal(account.reads, 3);
  });

  it('divides a decrease among all items generated together, once the balance is stable', async () => {
    const account = createAccount();
    const works = ['a', 'b', 'c', 'd'].map((id) => account.begin(image(id)));
    await account.pass(2 * second);
    account.bill(9);
    for (const { over } of works) over();
    await account.pass(5 * second);
    // The last of them is billed late.
    account.bill(3);
    await account.pass(10 * second);
    deepEqual(account.last(), []);
    await account.pass(20 * second);
    deepEqual(account.last(), [{ model: 'flux', fell: '0.12', count: 4 }]);
    equal(account.costOf('c')?.count, 4);
  });

  it('waits up to half a minute for a service that bills late', async () => {
    const late = createAccount();
    await late.make(image('job 1'), { bill: 0 });
    await late.pass(5 * second);
    late.bill(3);
    await late.pass(5 * second);
    deepEqual(late.last(), [{ model: 'flux', fell: '0.03', count: 1 }]);

    const never = createAccount();
    await never.make(image('job 1'), { bill: 0 });
    await never.pass(24 * 3600 * second);
    deepEqual([never.last(), never.reads], [[], 4]);
  });

  it('assigns no cost if another call may have been charged at the same time or just before', async () => {
    for (const calls of [
      { begun: 1, open: 0, endedAt: 0 },
      { begun: 0, open: 1, endedAt: 0 },
    ]) {
      const account = createAccount();
      const work = account.begin(image('job 1'));
      await account.pass(second);
      account.calls = calls;
      account.bill(3);
      work.over();
      await account.pass(60 * second);
      deepEqual(account.last(), []);
    }
    const after = createAccount();
    after.calls = { begun: 1, open: 0, endedAt: after.now - second };
    await after.make(image('job 1'));
    await after.pass(60 * second);
    deepEqual([after.last(), after.reads], [[], 0]);
    await after.make(image('job 2'));
    await after.pass(60 * second);
    deepEqual(after.last(), [{ model: 'flux', fell: '0.03', count: 1 }]);
  });

  it('assigns no cost to different kinds generated together, or if one of them may have been charged', async () => {
    for (const other of [image('job 2', 'qwen'), { ...image('job 2'), kind: 'video' as const }, 'unsure' as const]) {
      const account = createAccount();
      const [one, two] = [account.begin(image('job 1')), account.begin(other)];
      await account.pass(second);
      account.bill(5);
      one.over();
      await account.pass(20 * second);
      two.over();
      await account.pass(60 * second);
      deepEqual(account.last(), []);
    }
  });

  it('measures again as soon as the balance is stable after a request that may have been charged', async () => {
    const account = createAccount();
    await account.make('unsure', { bill: 0 });
    await account.make(image('job 1'));
    await account.pass(second);
    equal(account.whyNot('job 1'), 'unsettled');
    // The failed request is charged late.
    account.bill(3);
    await account.pass(25 * second);
    await account.make(image('job 2'));
    await account.pass(3 * second);
    deepEqual(account.last(), [{ model: 'flux', fell: '0.03', count: 1 }]);
    deepEqual([account.costOf('job 2')?.fell, account.whyNot('job 1')], ['0.03', 'unsettled']);
  });

  it('measures again once the balance is stable or two minutes have passed after a reload lost a request', async () => {
    for (const isReadable of [true, false]) {
      const account = createAccount();
      const { now } = account;
      account.jobs = [
        { id: 'lost', profileId: 'anna', baseUrl: '', createdAt: now, triedAt: now, stage: 'unknown' } satisfies Job,
      ];
      account.isReadable = isReadable;
      await account.make(image('job 1'));
      await account.pass(30 * second);
      equal(account.whyNot('job 1'), isReadable ? 'unsettled' : undefined);
      account.isReadable = true;
      if (!isReadable) await account.pass(120 * second);
      await account.make(image('job 2'));
      await account.pass(3 * second);
      equal(account.costOf('job 2')?.fell, '0.03');
    }
  });

  it("explains why a cost wasn't measured, except for a service that doesn't report its balance", async () => {
    const mixed = createAccount();
    const [one, two] = [mixed.begin(image('job 1')), mixed.begin(image('job 2', 'qwen'))];
    await mixed.pass(second);
    one.over();
    two.over();
    await mixed.pass(60 * second);
    deepEqual([mixed.whyNot('job 1'), mixed.whyNot('job 2')], ['shared', 'shared']);

    const silent = createAccount();
    silent.isReadable = false;
    await silent.make('unsure');
    await silent.make(image('job 1'));
    await silent.pass(60 * second);
    equal(silent.learner.of('job 1'), undefined);
  });

  it('excludes items that certainly cost nothing', async () => {
    const account = createAccount();
    const [one, refused] = [account.begin(image('job 1')), account.begin('nothing')];
    await account.pass(second);
    account.bill(3);
    one.over();
    refused.over();
    await account.pass(60 * second);
    deepEqual(account.last(), [{ model: 'flux', fell: '0.03', count: 1 }]);
  });

  it('assigns no cost while a job of another window or an earlier session runs or has just ended', async () => {
    const job = (part: Partial<Job>): Job => ({
      id: 'other',
      profileId: 'anna',
      baseUrl: 'https://a.example/v1',
      createdAt: 0,
      stage: 'running',
      ...part,
    });
    const learned = async (part: Partial<Job>) => {
      const account = createAccount();
      account.jobs = [job(part)];
      await account.make(image('job 1'));
      await account.pass(60 * second);
      return account.last().length;
    };
    const { now } = createAccount();
    equal(await learned({}), 0);
    equal(await learned({ stage: 'ended', changedAt: now + second }), 0);
    equal(await learned({ stage: 'unknown', triedAt: now - 60 * second }), 0);
    equal(await learned({ stage: 'ended', changedAt: now - 60 * second }), 1);
    equal(await learned({ stage: 'refused', createdAt: now }), 1);
    equal(await learned({ profileId: 'ben' }), 1);
  });

  it("assigns no cost if the balance or a part of it rose, or couldn't be loaded", async () => {
    const topped = createAccount();
    await topped.make(image('job 1'), { bill: -500 });
    await topped.pass(60 * second);
    deepEqual([topped.last(), topped.reads], [[], 2]);

    const unreadable = createAccount();
    unreadable.isReadable = false;
    await unreadable.make(image('job 1'));
    await unreadable.pass(60 * second);
    deepEqual([unreadable.last(), unreadable.reads], [[], 1]);

    const parts = createAccount();
    const withPart = (totalBalance: string, chargeBalance: string) => () => ({
      info: { totalBalance, chargeBalance },
      requestedAt: parts.now,
      readAt: parts.now,
    });
    parts.reported = withPart('100.00', '1.00');
    const work = parts.begin(image('job 1'));
    await parts.pass(second);
    parts.reported = withPart('99.97', '5.00');
    work.over();
    await parts.pass(60 * second);
    deepEqual(parts.last(), []);
  });

  it('assigns no cost if accounts or keys changed in the meantime', async () => {
    const account = createAccount();
    const work = account.begin(image('job 1'));
    await account.pass(second);
    account.learner.startAnew();
    account.bill(3);
    work.over();
    await account.pass(60 * second);
    deepEqual(account.last(), []);
  });

  it('reuses a recent balance as the earlier one, and delays work only briefly to load it', async () => {
    const { now } = createAccount();
    const known = { info: { totalBalance: '100.00' }, requestedAt: now - 30 * second, readAt: now - 30 * second };
    const recent = createAccount({ known });
    await recent.make(image('job 1'));
    await recent.pass(3 * second);
    deepEqual([recent.last().length, recent.reads], [1, 1]);

    const slow = createAccount();
    slow.reported = () => new Promise(() => {}) as never;
    let hasBegun = false;
    void slow.learner.around(
      'anna',
      async () => (hasBegun = true),
      () => image('job 1'),
    );
    await slow.pass(second);
    await slow.pass(second);
    equal(hasBegun, true);
  });

  it('fails with the error of the work', async () => {
    const account = createAccount();
    const work = account.learner.around(
      'anna',
      () => Promise.reject(new Error('No money')),
      () => image('job 1'),
    );
    await rejects(work, /No money/);
    await account.pass(60 * second);
    equal(account.reads, 1);
    // It was certainly free, so the next cost can be measured at once.
    const unsent = new ApiError({ kind: 'network', message: 'No connection', sent: false });
    const failing = account.learner.around(
      'anna',
      () => Promise.reject(unsent),
      () => image('job 2'),
    );
    await rejects(failing, unsent);
    await account.make(image('job 3'));
    await account.pass(30 * second);
    deepEqual([account.costOf('job 2'), account.costOf('job 3')?.fell], [undefined, '0.03']);
  });

  it('keeps the newest 300 costs of an account after a restart, together with those of another window', async () => {
    const account = createAccount();
    const old = Array.from({ length: 300 }, (_, at) => ({
      kind: 'image',
      model: 'flux',
      count: 1,
      fell: '0.01',
      of: [`old ${at}`],
      at,
    }));
    const broken = ['-1', '0', 'NaN', '1e5'].map((fell) => ({ ...old[0], fell }));
    account.files.set('anna', [...old, { kind: 'image', model: 7 }, ...broken]);
    await account.make(image('job 1'));
    await account.pass(3 * second);
    account.open();
    deepEqual(account.last(), []);
    await account.learner.load('anna');
    deepEqual(account.last(), [{ model: 'flux', fell: '0.03', count: 1 }]);
    deepEqual([account.learner.of('old 0'), account.costOf('old 1')?.fell], [undefined, '0.01']);
  });
});
