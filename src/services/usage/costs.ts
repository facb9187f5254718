import * as vscode from 'vscode';
import type { CostKind, LearnedCost, PaidEnd } from '../../core/account/costs';
import type { Job } from '../../core/jobs/job';
import type { Account } from '../account/account';
import type { Connections } from '../account/connections';
import type { Disposable } from '../../platform/disposables';
import type { Profiles } from '../account/profiles';

/**
 * What was paid for, as far as the balance tells: the service has no list of prices. Other devices, and chats of other windows,
 * cannot be known of. Nothing is read of the balance before something is paid for.
 */
export interface Costs extends Disposable {
  /** Runs what is paid for with a profile; what it cost is learned once `ended` tells what came of it. Fails only as `work` does. */
  around<T>(profileId: string, work: () => Promise<T>, ended: (result: T) => PaidEnd | Promise<PaidEnd>): Promise<T>;
  /** All orders of a kind, which are paid for while they run. */
  consider(of: 'media' | 'batches', jobs: () => readonly Job[]): void;
  /** Reads what was learned; never rejects. Until then nothing is known. */
  ready(): Promise<void>;
  /** With the active profile, of each model the last of a kind. */
  last(kind: CostKind): readonly LearnedCost[];
  /** Of what was made: by the id of its job, or the path of its file. */
  of(thing: string): LearnedCost | undefined;
  readonly onDidChange: vscode.Event<void>;
}

export type LearnedCosts = Omit<Costs, 'consider' | 'onDidChange'>;

export interface CostSources {
  readonly context: vscode.ExtensionContext;
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly account: Account;
  readonly log: vscode.LogOutputChannel;
}

export function createCosts(options: CostSources): Costs {
  const changed = new vscode.EventEmitter<void>();
  const orders = new Map<string, () => readonly Job[]>();
  let learned: LearnedCosts | undefined;
  let loading: Promise<LearnedCosts> | undefined;
  const open = async () =>
    (learned = (await import('./costsRuntime')).openCosts(options, orders, () => changed.fire()));
  const load = () => (loading ??= open());
  return {
    around: async (profileId, work, ended) => (await load()).around(profileId, work, ended),
    consider: (of, jobs) => void orders.set(of, jobs),
    ready: async () => (await load()).ready(),
    last: (kind) => learned?.last(kind) ?? [],
    of: (thing) => learned?.of(thing),
    onDidChange: changed.event,
    dispose() {
      learned?.dispose();
      changed.dispose();
    },
  };
}
