import * as vscode from 'vscode';
import type { AccountInfo } from '../core/api/account/account.schema';
import { isApiError } from '../core/api/errors';
import type { Activity } from './activity';
import type { Connections } from './connections';
import { DisposableStore } from './disposables';
import type { Disposable } from './disposables';
import type { Profiles } from './profiles';

export interface AccountReading {
  readonly info: AccountInfo;
  /** Unix milliseconds. */
  readonly readAt: number;
}

export type AccountState =
  /** No profile, or no key for it. */
  | { readonly status: 'signedOut'; readonly loading: boolean }
  /** Not asked yet, or being asked for the first time. */
  | { readonly status: 'unknown'; readonly loading: boolean }
  | { readonly status: 'ready'; readonly reading: AccountReading; readonly loading: boolean }
  /** The service has no such endpoint, or no longer. */
  | { readonly status: 'notOffered'; readonly loading: boolean }
  /** `last` is what was known before, with its age. */
  | { readonly status: 'failed'; readonly error: unknown; readonly last?: AccountReading; readonly loading: boolean };

/** Status and balance of the active profile. Asks the service only when someone looks or after paid work. */
export interface Account extends Disposable {
  readonly state: AccountState;
  readonly onDidChange: vscode.Event<void>;
  /** Never rejects: what went wrong is in `state`. Calls at the same time share one request. */
  refresh(): Promise<void>;
  /** While held, someone looks: the account is asked for when its reading is older than five minutes, and after paid work. */
  watch(): Disposable;
}

export interface AccountOptions {
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly activity: Activity;
  readonly now?: () => number;
}

/** How old a reading may grow while someone looks. */
const freshMs = 5 * 60_000;
/** Services book a moment after the answer; also gathers several pieces of work that end together. */
const bookingMs = 3_000;

export function createAccount(options: AccountOptions): Account {
  return new WatchedAccount(options);
}

class WatchedAccount implements Account {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly watchers = new Set<symbol>();
  private current: AccountState = { status: 'unknown', loading: false };
  private asking: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Who the state is about: profile, address and nothing secret. */
  private about: string | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly options: AccountOptions) {
    const { connections, activity } = options;
    this.about = this.subject();
    this.store.add(connections.onDidChange(() => this.startAnew()));
    this.store.add(
      activity.onDidFinish(({ paid }) => {
        if (paid && this.watchers.size > 0) this.askIn(bookingMs);
      }),
    );
    this.store.add({ dispose: () => this.stop() });
  }

  get state(): AccountState {
    return this.current;
  }

  async refresh(): Promise<void> {
    this.asking ??= this.ask();
    await this.asking.done;
  }

  watch(): Disposable {
    const watcher = Symbol('watcher');
    this.watchers.add(watcher);
    if (this.isStale()) this.askIn(0);
    else this.askIn(freshMs);
    return { dispose: () => this.watchers.delete(watcher) };
  }

  dispose(): void {
    this.store.dispose();
  }

  private ask() {
    const controller = new AbortController();
    const done = this.read(controller.signal).finally(() => {
      if (this.asking?.controller === controller) this.asking = undefined;
      if (this.watchers.size > 0) this.askIn(freshMs);
    });
    return { controller, done };
  }

  private async read(signal: AbortSignal): Promise<void> {
    this.set({ ...this.current, loading: true });
    const next = await this.answer(signal);
    if (!signal.aborted) this.set(next);
  }

  private async answer(signal: AbortSignal): Promise<AccountState> {
    const { connections, profiles, now = Date.now } = this.options;
    const active = profiles.active;
    try {
      if (!active) return { status: 'signedOut', loading: false };
      const client = await connections.client(active.id);
      const info = await client.account.info(signal);
      return { status: 'ready', reading: { info, readAt: now() }, loading: false };
    } catch (error) {
      if (isApiError(error) && error.kind === 'notOffered') return { status: 'notOffered', loading: false };
      if (isApiError(error) && error.kind === 'auth' && error.details.status === undefined)
        return { status: 'signedOut', loading: false };
      const last = lastReading(this.current);
      return { status: 'failed', error, ...(last && { last }), loading: false };
    }
  }

  /** The profile, its key or the network is another one: what is known may not be about it. */
  private startAnew(): void {
    this.asking?.controller.abort();
    this.asking = undefined;
    const subject = this.subject();
    if (subject !== this.about) this.set({ status: 'unknown', loading: false });
    this.about = subject;
    if (this.watchers.size > 0) this.askIn(0);
    else this.set({ status: 'unknown', loading: false });
  }

  private subject(): string | undefined {
    const active = this.options.profiles.active;
    return active && `${active.id} ${active.baseUrl}`;
  }

  private isStale(): boolean {
    const { now = Date.now } = this.options;
    if (this.current.status === 'notOffered') return false;
    const last = this.current.status === 'ready' ? this.current.reading : undefined;
    return last === undefined || now() - last.readAt >= freshMs;
  }

  private askIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.watchers.size > 0) void this.refresh();
    }, ms);
    this.timer.unref();
  }

  private set(state: AccountState): void {
    this.current = state;
    this.changed.fire();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.asking?.controller.abort();
  }
}

function lastReading(state: AccountState): AccountReading | undefined {
  if (state.status === 'ready') return state.reading;
  return state.status === 'failed' ? state.last : undefined;
}
