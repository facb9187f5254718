import * as vscode from 'vscode';
import type { CostKind, LearnedCost, PaidEnd, UnmeasuredCost } from '../../core/account/costs';
import type { Currency } from '../../protocol/formats';
import type { Job } from '../../core/jobs/job';
import type { ExpectedCharge, PaidWork } from '../../core/prices/paidWork';
import type { HeldMoney } from '../../core/usage/daySpending';
import type { Account, AccountReading, Connections, Profiles } from '../account/account';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';

/** A cost in the currency of the account that paid it. */
export interface AccountCost extends LearnedCost {
  /** Absent if unknown. */
  readonly currency?: Currency | undefined;
}

/**
 * The cost of paid work, learned from the balance, because the service has no price list. Usage by other devices and by chats in other
 * windows is not known. The balance is not read before something is paid for.
 */
export interface Costs extends Disposable {
  /**
   * Runs work paid for with a profile; its cost is learned once `ended` reports the outcome. Fails if `work` does, and with a `UserError`
   * before it if the account has reached its spending cap, or would exceed it with what is `expected`, which is reserved until the charge is
   * counted. Jobs need no reservation: their records count.
   */
  around<T>(
    profileId: string,
    work: () => Promise<T>,
    ended: (result: T) => PaidEnd | Promise<PaidEnd>,
    expected?: ExpectedCharge,
  ): Promise<T>;
  /** Throws a `UserError` if the account has reached its spending cap, or would exceed it with a job that is about to be started. */
  check(profileId: string, next: Job | ExpectedCharge): Promise<void>;
  /** Counts work in what was spent on its day, if its price is known. Resolves to whether that is on disk; never rejects. */
  note(profileId: string, work: PaidWork): Promise<boolean>;
  /** Registers all jobs of a kind, which are paid for while they run. */
  consider(jobs: PaidJobs): void;
  /** Resolves to all of them, also those that other windows have just added; never rejects. */
  jobs(): Promise<readonly Job[]>;
  /** Reads what was learned; never rejects. Until then, nothing is known. */
  ready(): Promise<void>;
  /** The last costs of a kind with a profile, by default the active one; one per model. */
  last(kind: CostKind, profileId?: string): readonly AccountCost[];
  /** Resolves to all costs that were learned for some accounts, as far as they are still stored; never rejects. */
  all(profileIds: readonly string[]): Promise<readonly (AccountCost & { readonly profileId: string })[]>;
  /** The cost of a result, or why it couldn't be measured, by the id of its job or the path of its file. */
  of(thing: string): AccountCost | UnmeasuredCost | undefined;
  readonly onDidChange: vscode.Event<void>;
}

/** Jobs that are loaded at first use. */
interface PaidJobs {
  (): Promise<{ refresh(): Promise<void> }>;
  readonly jobs: readonly Job[];
}

export type LearnedCosts = Omit<Costs, 'consider' | 'jobs' | 'check' | 'note' | 'onDidChange'>;

export interface CostSources {
  readonly context: vscode.ExtensionContext;
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly account: Account;
  readonly log: vscode.LogOutputChannel;
  /** Enforces the cap of a day. */
  readonly usage: () => Promise<{
    checkSpending(profileId: string, next: Job | ExpectedCharge): Promise<void>;
    holdSpending(profileId: string, charge: () => ExpectedCharge | undefined): Promise<HeldMoney>;
    markElsewhere(profileId: string): Promise<string>;
    noteBalance(profileId: string, reading: AccountReading): Promise<void>;
    notePaid(profileId: string, work: PaidWork): Promise<boolean>;
  }>;
}

export function createCosts(options: CostSources): Costs {
  const changed = new vscode.EventEmitter<void>();
  const kinds = new Set<PaidJobs>();
  const jobs = () => [...kinds].flatMap((kind) => kind.jobs);
  const loadJobs = () => Promise.allSettled([...kinds].map(async (load) => (await load()).refresh()));
  const store = new DisposableStore();
  const learned = onceDisposable(store, async () =>
    (await import('./costsRuntime')).openCosts(options, { jobs, loadJobs, note }, () => changed.fire()),
  );
  const { account, log, usage } = options;
  const following = account.onDidChange(() => {
    const { state } = account;
    if (state.status !== 'ready') return;
    const { id } = account.current;
    usage()
      .then((of) => of.noteBalance(id, state.reading))
      .catch((error: unknown) => log.warn(String(error)));
  });
  const note: Costs['note'] = async (profileId, work) => {
    try {
      const isNoted = await (await usage()).notePaid(profileId, work);
      changed.fire();
      return isNoted;
    } catch (error) {
      log.warn(`Spending: ${String(error)}`);
      return false;
    }
  };
  const check: Costs['check'] = async (profileId, next) => (await usage()).checkSpending(profileId, next);
  return {
    around: async (profileId, work, ended, expected) => (await learned()).around(profileId, work, ended, expected),
    check,
    note,
    consider: (kind) => void kinds.add(kind),
    async jobs() {
      await loadJobs();
      return jobs();
    },
    ready: async () => (await learned()).ready(),
    last: (kind, profileId) => learned.loaded?.last(kind, profileId) ?? [],
    all: async (profileIds) => (await learned()).all(profileIds),
    of: (thing) => learned.loaded?.of(thing),
    onDidChange: changed.event,
    dispose() {
      following.dispose();
      store.dispose();
      changed.dispose();
    },
  };
}
