import { join } from 'node:path';
import * as vscode from 'vscode';
import type { BalanceReading, CostKind, CostLearner, LearnedCost, PaidEnd } from '../core/account/costs';
import type { Job } from '../core/jobs/job';
import type { Account } from './account';
import type { Connections } from './connections';
import { DisposableStore } from './disposables';
import type { Disposable } from './disposables';
import type { Profiles } from './profiles';

/**
 * What was paid for, as far as the balance tells: the service has no list of prices. Other devices, and chats of other windows,
 * cannot be known of. Nothing is read of the balance before something is paid for.
 */
export interface Costs extends Disposable {
  /** Runs what is paid for with a profile; what it cost is learned once `ended` tells what came of it. Fails only as `work` does. */
  around<T>(profileId: string, work: () => Promise<T>, ended: (result: T) => PaidEnd | Promise<PaidEnd>): Promise<T>;
  /** Orders, which are paid for while they run. */
  consider(jobs: () => readonly Job[]): Disposable;
  /** Reads what was learned; never rejects. Until then nothing is known. */
  ready(): Promise<void>;
  /** With the active profile, of each model the last of a kind. */
  last(kind: CostKind): readonly LearnedCost[];
  /** Of what was made: by the id of its job, or the path of its file. */
  of(thing: string): LearnedCost | undefined;
  readonly onDidChange: vscode.Event<void>;
}

interface CostSources {
  readonly context: vscode.ExtensionContext;
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly account: Account;
  readonly log: vscode.LogOutputChannel;
}

export function createCosts({ context, profiles, connections, account, log }: CostSources): Costs {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const sources = new Set<() => readonly Job[]>();
  const onTrouble = (error: unknown) => log.warn(`Costs: ${String(error)}`);
  const known = (profileId: string): BalanceReading | undefined =>
    account.state.status === 'ready' && profiles.active?.id === profileId ? account.state.reading : undefined;
  let learner: CostLearner | undefined;
  let loading: Promise<CostLearner> | undefined;
  const open = async () => {
    const [{ CostLearner: Learner, readCosts }, { createJsonFile }] = await Promise.all([
      import('../core/account/costs'),
      import('./jsonFile'),
    ]);
    learner = new Learner({
      file: (profileId) =>
        createJsonFile(join(context.globalStorageUri.fsPath, 'costs', `${profileId}.json`), readCosts),
      known,
      async read(profileId) {
        const { status } = account.state;
        if (profiles.active?.id !== profileId || status === 'notOffered') return undefined;
        await account.refresh();
        return known(profileId);
      },
      calls: (profileId) => connections.paidCalls(profileId),
      jobs: () => [...sources].flatMap((jobs) => jobs()),
      now: Date.now,
      setTimer(ms, run) {
        const timer = setTimeout(run, ms);
        timer.unref();
        return () => clearTimeout(timer);
      },
      onChange: () => changed.fire(),
      onTrouble,
    });
    return learner;
  };
  const load = (): Promise<CostLearner> => (loading ??= open());
  store.add(connections.onDidChange(() => learner?.startAnew()));
  store.add({ dispose: () => learner?.startAnew() });
  return {
    around: async (profileId, work, ended) => (await load()).around(profileId, work, ended),
    consider(jobs) {
      sources.add(jobs);
      return { dispose: () => sources.delete(jobs) };
    },
    async ready() {
      const { id } = profiles.active ?? {};
      if (id === undefined) return;
      await load()
        .then((opened) => opened.load(id))
        .catch(onTrouble);
    },
    last: (kind) => learner?.last(profiles.active?.id ?? '', kind) ?? [],
    of: (thing) => learner?.of(thing),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
