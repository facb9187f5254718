import { deepEqual } from 'node:assert/strict';
import { appendFile, mkdir } from 'node:fs/promises';
import { dayOf, toLedgerLine } from '../../../../src/core/usage/usage';
import type { UsageEntry } from '../../../../src/core/usage/usage';
import { lastDays, UsageHistory } from '../../../../src/core/usage/usageHistory';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('the history of usage', () => {
  const folder = setUpFolder();
  const noon = new Date(2026, 10, 28, 12).getTime();
  const dayMs = 86_400_000;

  async function add(profile: string, entry: Partial<UsageEntry>): Promise<void> {
    const whole = { at: noon, model: 'm', inputTokens: 10, outputTokens: 1, ...entry };
    await mkdir(folder.in(profile), { recursive: true });
    await appendFile(folder.in(`${profile}/${dayOf(whole.at)}.jsonl`), toLedgerLine(whole));
  }
  const history = () => new UsageHistory(folder.in('.'));

  it('sums requests of a day by source and model, and reads later additions', async () => {
    await add('a', { source: 'chat' });
    await add('a', { source: 'chat', isEstimate: true, cost: 0.25 });
    await add('a', { source: 'vsCodeChat', model: 'n' });
    // As earlier versions noted charges of jobs.
    for (const cost of [0, 0.25, 0.25]) await add('a', { model: 'n', job: 'j', cost });
    const read = history();
    const before = await read.last(1, ['a'], noon);
    deepEqual(
      before.map(({ source, model, job, requests, priced, usage }) => [source, model, job, requests, priced, usage]),
      [
        ['chat', 'm', undefined, 2, 1, { inputTokens: 20, outputTokens: 2, isEstimate: true, cost: 0.25 }],
        ['vsCodeChat', 'n', undefined, 1, 0, { inputTokens: 10, outputTokens: 1 }],
        [undefined, 'n', 'j', 3, 3, { inputTokens: 30, outputTokens: 3, cost: 0.5 }],
      ],
    );
    await add('a', { source: 'vsCodeChat', model: 'n' });
    deepEqual((await read.last(1, ['a'], noon)).at(1)?.requests, 2);
  });

  it('returns the requested days and accounts', async () => {
    await add('a', { at: noon - 7 * dayMs });
    await add('a', { at: noon - dayMs });
    await add('b', { at: noon });
    const days = async (count: number, ...profiles: string[]) =>
      (await history().last(count, profiles, noon)).map(({ profileId, day }) => `${profileId} ${day}`);
    deepEqual(await days(7, 'a', 'b'), ['a 2026-11-27', 'b 2026-11-28']);
    deepEqual(await days(8, 'a'), ['a 2026-11-21', 'a 2026-11-27']);
    deepEqual(await days(30, 'c'), []);
  });

  it('reads ledgers of version 0.1, and skips truncated lines', async () => {
    await add('a', {});
    await appendFile(folder.in(`a/${dayOf(noon)}.jsonl`), '{"at":1,"model":"m","inputTok');
    const [group, ...more] = await history().last(1, ['a'], noon);
    deepEqual([group?.source, group?.requests, more], [undefined, 1, []]);
  });

  it('counts calendar days across daylight-saving changes', () => {
    deepEqual(lastDays(3, new Date(2026, 2, 30, 0, 30).getTime()), ['2026-03-28', '2026-03-29', '2026-03-30']);
  });
});
