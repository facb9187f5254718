import { join } from 'node:path';
import { CostLearner, readCosts } from '../../core/account/costs';
import type { BalanceReading, CostLearnerOptions } from '../../core/account/costs';
import { isApiError } from '../../core/api/errors';
import { currencyOf } from '../../core/profiles/knownServices';
import type { CostSources, LearnedCosts } from './costs';
import { createJsonFile } from '../../core/storage/storedFile';

/** Learns from the balance of the active profile; that of others is not read. */
export function openCosts(
  sources: CostSources,
  jobs: Pick<CostLearnerOptions, 'jobs' | 'loadJobs'>,
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
      // A service that refused to tell its balance is not asked again for each request.
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
    around: (profileId, work, ended) => learner.around(profileId, work, ended),
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
