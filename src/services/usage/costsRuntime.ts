import { join } from 'node:path';
import { CostLearner, readCosts } from '../../core/account/costs';
import type { BalanceReading, CostLearnerOptions, PaidEnd } from '../../core/account/costs';
import { isApiError, mayBeBilled } from '../../core/api/errors';
import { currencyOf } from '../../core/profiles/knownServices';
import type { ExpectedCharge, PaidWork } from '../../core/prices/paidWork';
import type { Costs, CostSources, LearnedCosts } from './costs';
import { createJsonFile } from '../../core/storage/storedFile';

/** Learns from the balance of the active profile; that of others is not read. */
export function openCosts(
  sources: CostSources,
  { note, ...jobs }: Pick<CostLearnerOptions, 'jobs' | 'loadJobs'> & Pick<Costs, 'note'>,
  onChange: () => void,
): LearnedCosts {
  const { context, profiles, connections, account, log, usage } = sources;
  const folder = join(context.globalStorageUri.fsPath, 'costs');
  const active = () => account.current.id;
  const known = (profileId: string): BalanceReading | undefined =>
    account.state.status === 'ready' && active() === profileId ? account.state.reading : undefined;
  const learner = new CostLearner({
    file: (profileId) => createJsonFile(join(folder, `${profileId}.json`), readCosts),
    known,
    async read(profileId) {
      const { state } = account;
      if (active() !== profileId || state.status === 'notOffered') return undefined;
      // A service that doesn't report its balance isn't asked again for each request.
      if (state.status === 'failed' && isApiError(state.error) && state.error.details.status !== undefined)
        return undefined;
      await account.refresh();
      return known(profileId);
    },
    calls: (profileId) => connections.paidCalls(profileId),
    usedElsewhere: async (profileId) => (await usage()).markElsewhere(profileId),
    ...jobs,
    now: Date.now,
    setTimer(ms, run) {
      const timer = setTimeout(run, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
    onChange,
    onError: (error) => log.warn(`Costs: ${String(error)}`),
  });
  const listening = connections.onDidChange(() => learner.startAnew());
  return {
    around: aroundPaid(learner, usage, note),
    ready: async () => void (await Promise.all(profiles.list.map(({ id }) => learner.load(id)))),
    last: (kind, profileId = active()) =>
      learner
        .last(profileId, kind)
        .map((cost) => ({ ...cost, currency: currencyOf(profiles.get(profileId)?.baseUrl) })),
    async all(profileIds) {
      await Promise.all(profileIds.map((id) => learner.load(id)));
      return profileIds.flatMap((profileId) => {
        const currency = currencyOf(profiles.get(profileId)?.baseUrl);
        return learner.all(profileId).map((cost) => ({ ...cost, profileId, currency }));
      });
    },
    of(thing) {
      const cost = learner.of(thing);
      if (!cost || 'unmeasured' in cost) return cost;
      return { ...cost, currency: currencyOf(profiles.get(cost.profileId)?.baseUrl) };
    },
    dispose() {
      listening.dispose();
      learner.startAnew();
    },
  };
}

/** Reserves what work is expected to cost, has its cost learned, and counts what is paid for. */
function aroundPaid(learner: CostLearner, usage: CostSources['usage'], note: Costs['note']): Costs['around'] {
  return async (profileId, work, ended, expected) => {
    const held = await (await usage()).holdSpending(profileId, () => expected);
    const finish = async (end: PaidEnd) => {
      const paid = paidWithoutRecord(end, expected);
      if (paid) await note(profileId, paid);
      await held.release();
      return end;
    };
    const noteEnd = async (result: Parameters<typeof ended>[0]) =>
      finish(await (async () => ended(result))().catch((): PaidEnd => 'unsure'));
    try {
      return await learner.around(profileId, work, noteEnd);
    } catch (error) {
      await finish(mayBeBilled(error) ? 'unsure' : 'nothing');
      throw error;
    }
  };
}

/**
 * Returns charged work without a record that outlives this window, which jobs have. Work that may have been charged counts, as a failed
 * request does.
 */
function paidWithoutRecord(end: PaidEnd, expected: ExpectedCharge | undefined): PaidWork | undefined {
  const at = Date.now();
  if (end === 'unsure')
    return expected && 'piece' in expected
      ? { kind: expected.piece, model: expected.model, count: expected.count, at }
      : undefined;
  if (end === 'nothing' || (end.kind !== 'speech' && end.kind !== 'transcription')) return undefined;
  return { kind: end.kind === 'speech' ? 'clip' : end.kind, model: end.model, count: end.count, at };
}
