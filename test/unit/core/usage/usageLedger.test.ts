import { deepEqual, equal, ok } from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dayOf, noUsage, readEntries, toLedgerLine } from '../../../../src/core/usage/usage';
import { UsageHistory } from '../../../../src/core/usage/usageHistory';
import { createUsageLedger, dayFileAt } from '../../../../src/core/usage/usageLedger';
import { openBelow } from '../../../support/fullDisk';
import { setUpFolder } from '../../../support/temporaryFolder';

const at = Date.now();
const entry = (inputTokens: number) => ({ at, model: 'm', inputTokens, outputTokens: 1 });
const used = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

describe('The ledger of a day', () => {
  const folder = setUpFolder();
  let problems: unknown[];
  beforeEach(() => void (problems = []));
  const open = () => createUsageLedger(folder.in('usage'), (error) => problems.push(error));
  const file = () => path.join(folder.in('usage'), 'mine', `${dayOf(at)}.jsonl`);
  const total = () => open().total('mine', at);

  it('counts lines of each window and process once, and none of other accounts or days', async () => {
    await Promise.all([open().add('mine', entry(5)), open().add('mine', entry(7)), open().add('other', entry(100))]);
    deepEqual(await total(), used(12, 2));
    await appendFile(file(), `\n${JSON.stringify(entry(20))}\n`);
    deepEqual(await total(), used(32, 3));
    deepEqual(await total(), used(32, 3));
    deepEqual(await open().total('mine', at + 48 * 3600 * 1000), noUsage);
    deepEqual(problems, []);
  });

  it('marks lines of other processes, but not of this one', async () => {
    const mark = () => open().markElsewhere('mine', at);
    const before = await mark();
    await open().add('mine', entry(5));
    equal(await mark(), before);
    await appendFile(file(), toLedgerLine(entry(20)));
    const after = await mark();
    ok(after !== before);
    await open().add('mine', entry(7));
    equal(await mark(), after);
  });

  it('counts lines being written immediately, next to those of others', async () => {
    await mkdir(folder.in('usage'));
    const days = folder.in('usage/day.jsonl');
    await writeFile(days, toLedgerLine(entry(20)));
    const day = dayFileAt(days);
    await day.readOn();
    const adding = [day.add(entry(5)), day.add(entry(7))];
    deepEqual(day.known, used(32, 3));
    await Promise.all(adding);
    deepEqual(day.known, used(32, 3));
    await day.readOn();
    deepEqual(day.known, used(32, 3));
  });

  it('counts a line of another process once it is complete, and never a truncated one', async () => {
    await open().add('mine', entry(5));
    const line = `\n${JSON.stringify(entry(20))}\n`;
    await appendFile(file(), line.slice(0, 12));
    deepEqual(await total(), used(5, 1));
    await appendFile(file(), line.slice(12));
    deepEqual(await total(), used(25, 2));
    await appendFile(file(), line.slice(0, 12));
    await open().add('mine', entry(3));
    deepEqual(await total(), used(28, 3));
  });

  it('counts lines of this process immediately, also before they are on disk', async () => {
    const one = open();
    const adding = one.add('mine', entry(5));
    deepEqual(await total(), used(5, 1));
    await adding;
    ok((await readFile(file(), 'utf8')).includes('"inputTokens":5'));
  });

  it("counts lines that couldn't be written, with those of others", async () => {
    await writeFile(folder.in('usage'), 'no folder');
    await open().add('mine', entry(5));
    await open().add('mine', entry(7));
    deepEqual(await total(), used(12, 2));
    ok(problems.length >= 2);
    await rm(folder.in('usage'));
    await mkdir(path.dirname(file()), { recursive: true });
    await writeFile(file(), `\n${JSON.stringify(entry(100))}\n`);
    deepEqual(await total(), used(112, 3));
  });

  it('counts a charge of a job once, whoever notes it again, and what it is more by then', async () => {
    const charge = (cost: number, from = 0) =>
      ({ at, model: 'flux', inputTokens: 0, outputTokens: 0, cost, job: 'a', from }) as const;
    const costs = async () => (await open().total('mine', at)).cost;
    await open().add('mine', charge(0.5));
    await open().add('mine', charge(0.5));
    equal(await costs(), 0.5);
    // Another process notes it in the same moment.
    await appendFile(file(), toLedgerLine(charge(0.5)) + toLedgerLine(charge(0.75)));
    equal(await costs(), 0.75);
    await Promise.all([open().add('mine', charge(0.25, 3)), open().add('mine', charge(0.75))]);
    equal(await costs(), 1);
    const [day] = await new UsageHistory(folder.in('usage')).last(1, ['mine'], at);
    deepEqual([day?.usage.cost, day?.requests], [1, 4]);
  });

  it('counts a charge of a job once, on whichever side of midnight another process noted it', async () => {
    const midnight = new Date(2026, 10, 21).getTime();
    const charge = (when: number, cost: number) =>
      ({ at: when, model: 'flux', inputTokens: 0, outputTokens: 0, cost, job: 'a', from: 0 }) as const;
    const costs = async () => [
      (await open().total('mine', midnight - 1)).cost ?? 0,
      (await open().total('mine', midnight)).cost ?? 0,
    ];
    const before = path.join(folder.in('usage'), 'mine', `${dayOf(midnight - 1)}.jsonl`);
    await mkdir(path.dirname(before), { recursive: true });
    await appendFile(before, toLedgerLine(charge(midnight - 1, 0.5)));
    equal(await open().add('mine', charge(midnight, 0.5)), true);
    deepEqual(await open().total('mine', midnight), noUsage);
    deepEqual(await costs(), [0.5, 0]);
    for (let times = 0; times < 2; times++) await open().add('mine', charge(midnight, 0.75));
    deepEqual(await costs(), [0.5, 0.25]);
    await open().add('mine', charge(midnight - 1, 0.75));
    deepEqual(await costs(), [0.5, 0.25]);
  });

  it('notes a charge of a job that could not be written when it is added again', async () => {
    const charge = { at, model: 'flux', inputTokens: 0, outputTokens: 0, cost: 0.5, job: 'a', from: 0 };
    await writeFile(folder.in('usage'), 'no folder');
    for (const one of [{ ...charge, cost: 0.25, job: 'b' }, charge, { ...charge }])
      equal(await open().add('mine', one), false);
    equal((await total()).cost, 0.75);
    await rm(folder.in('usage'));
    equal(await open().add('mine', charge), true);
    equal((await total()).cost, 0.75);
    equal(readEntries(await readFile(file(), 'utf8')).length, 1);
  });

  it('counts at least the lines of this process if the file is unreadable, truncated, or missing', async () => {
    await open().add('mine', entry(5));
    await open().add('mine', entry(7));
    const charge = { ...entry(0), outputTokens: 0, job: 'a', from: 0 };
    for (const cost of [0.25, 0.5, 0.5]) await open().add('mine', { ...charge, cost });
    const all = { ...used(12, 2), cost: 0.5 };
    deepEqual(await total(), all);
    await writeFile(file(), '');
    deepEqual(await total(), all);
    await rm(file());
    deepEqual(await total(), all);
    const more = { ...all, cost: 2 };
    await writeFile(file(), toLedgerLine({ ...charge, cost: 2 }));
    deepEqual(await total(), more);
    await rm(file());
    equal(problems.length, 0);
    await mkdir(file());
    deepEqual([await total(), problems.length, openBelow(folder.path())], [more, 1, []]);
  });
});
