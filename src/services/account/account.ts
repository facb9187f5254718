import * as vscode from 'vscode';
import type { AccountInfo } from '../../core/api/account/account.schema';
import { isApiError } from '../../core/api/errors';
import type { Activity } from '../../platform/activity';
import type { Connections } from './connections';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Profiles } from './profiles';

export interface AccountReading {
  readonly info: AccountInfo;
  /** Unix milliseconds. It is of some moment between the two. */
  readonly askedAt: number;
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
  private readonly now: () => number;

  readonly onDidChange = this.changed.event;

  constructor(private readonly options: AccountOptions) {
    const { connections, activity } = options;
    this.now = options.now ?? Date.now;
    this.store.add(connections.onDidChange(() => this.startAnew()));
    this.store.add(
      activity.onDidFinish(({ paid }) => {
        if (paid) this.askIn(bookingMs);
      }),
    );
    this.store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.isStale() && mayMendItself(this.current)) this.askIn(0);
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
    this.askIn(this.isStale() ? 0 : freshMs);
    return { dispose: () => this.watchers.delete(watcher) };
  }

  dispose(): void {
    this.store.dispose();
  }

  private ask() {
    const controller = new AbortController();
    const done = this.read(controller.signal).finally(() => {
      if (this.asking?.controller !== controller) return;
      this.asking = undefined;
      if (mayMendItself(this.current)) this.askIn(freshMs);
    });
    return { controller, done };
  }

  private async read(signal: AbortSignal): Promise<void> {
    this.set({ ...this.current, loading: true });
    const next = await this.answer(signal);
    if (!signal.aborted) this.set(next);
  }

  private async answer(signal: AbortSignal): Promise<AccountState> {
    const { connections, profiles } = this.options;
    try {
      const client = await connections.client(profiles.active?.id);
      const askedAt = this.now();
      const info = await client.account.info(signal);
      return { status: 'ready', reading: { info, askedAt, readAt: this.now() }, loading: false };
    } catch (error) {
      if (isApiError(error) && error.kind === 'notOffered') return { status: 'notOffered', loading: false };
      if (isApiError(error) && error.kind === 'auth' && error.details.status === undefined)
        return { status: 'signedOut', loading: false };
      const last = lastReading(this.current);
      return { status: 'failed', error, ...(last && { last }), loading: false };
    }
  }

  /** The profile, its key or the network is another one: what is known is about something else. */
  private startAnew(): void {
    this.asking?.controller.abort();
    this.asking = undefined;
    this.set({ status: 'unknown', loading: false });
    this.askIn(0);
  }

  private isStale(): boolean {
    return this.current.status !== 'ready' || this.now() - this.current.reading.readAt >= freshMs;
  }

  /** Nobody looks, or nobody can: then nothing is asked. Coming back to the window asks again. */
  private askIn(ms: number): void {
    clearTimeout(this.timer);
    if (this.watchers.size === 0) return;
    this.timer = setTimeout(() => {
      if (this.watchers.size > 0 && vscode.window.state.focused) void this.refresh();
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

/** Whether asking again after a while may give another answer, without the person having done anything. */
function mayMendItself(state: AccountState): boolean {
  if (state.status === 'failed') return !(isApiError(state.error) && state.error.kind === 'auth');
  return state.status === 'ready' || state.status === 'unknown';
}

function lastReading(state: AccountState): AccountReading | undefined {
  if (state.status === 'ready') return state.reading;
  return state.status === 'failed' ? state.last : undefined;
}
