import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { Activity } from '../../platform/activity';
import type { Account, AccountReading, AccountState, Connections, Profiles } from './account';
import { CurrentAccount } from './currentAccount';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';

interface Sources {
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly activity: Activity;
}

/** Maximum age of a reading while someone is watching and the balance changes. While it does not, each pause is twice the one before. */
const freshMs = 5 * 60_000;
const longestPauseMs = 30 * 60_000;
/** Longest pause after refusals. */
const longestQuietMs = 24 * 60 * 60_000;
/** Services book the cost shortly after the response; the delay also combines several pieces of work that end together. */
const bookingMs = 3_000;
const nothingKnown: AccountState = { status: 'unknown', loading: false };

export class WatchedAccount implements Account {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly watchers = new Set<symbol>();
  private used: CurrentAccount;
  private known: AccountState = nothingKnown;
  /** The account that `known` is about. */
  private subject = '';
  private asking: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Before the request that is scheduled or under way. 0 if another balance is likely. */
  private pauseMs = 0;
  /** How often in a row the service answered with something else than the balance, and until when it is not asked unasked. */
  private refusals = 0;
  private quietUntil = 0;

  readonly onDidChange = this.changed.event;

  constructor(private readonly options: Sources) {
    const { connections, profiles, activity } = options;
    this.used = new CurrentAccount(profiles.active, connections);
    this.store.add(connections.onDidChange(() => this.startAnew()));
    // Another key may be that of another account.
    this.store.add(profiles.onDidChange((change) => change === 'key' && this.set(nothingKnown)));
    this.store.add(
      activity.onDidFinish(({ paid }) => {
        if (paid) this.askIn(bookingMs);
      }),
    );
    this.store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.isStale() && mayRecover(this.known)) this.askIn(0);
      }),
    );
    this.store.add({ dispose: () => this.stop() });
    this.subject = this.describeSubject();
  }

  get current(): CurrentAccount {
    const { connections, profiles } = this.options;
    const { active } = profiles;
    if (active !== this.used.profile) this.used = new CurrentAccount(active, connections);
    return this.used;
  }

  get state(): AccountState {
    return this.known;
  }

  async refresh(): Promise<void> {
    this.pauseMs = 0;
    await this.update();
  }

  private async update(): Promise<void> {
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
      if (mayRecover(this.known)) this.askIn(Math.min(Math.max(freshMs, 2 * this.pauseMs), longestPauseMs));
    });
    return { controller, done };
  }

  private async read(signal: AbortSignal): Promise<void> {
    this.set({ ...this.known, loading: true });
    const next = await this.answer(signal);
    if (signal.aborted) return;
    const isRefused = next.status === 'failed' && isApiError(next.error) && next.error.details.status !== undefined;
    this.refusals = isRefused ? this.refusals + 1 : 0;
    if (next.status !== 'ready' || next.reading.info.totalBalance !== lastReading(this.known)?.info.totalBalance)
      this.pauseMs = 0;
    this.quietUntil = isRefused ? Date.now() + Math.min(longestQuietMs, freshMs * 2 ** (this.refusals - 1)) : 0;
    this.set(next);
  }

  private async answer(signal: AbortSignal): Promise<AccountState> {
    try {
      const client = await this.current.client();
      const requestedAt = Date.now();
      const info = await client.account.info(signal);
      return { status: 'ready', reading: { info, requestedAt, readAt: Date.now() }, loading: false };
    } catch (error) {
      if (isApiError(error) && error.kind === 'notOffered') return { status: 'notOffered', loading: false };
      if (isApiError(error) && error.kind === 'auth' && error.details.status === undefined)
        return { status: 'signedOut', loading: false };
      const last = lastReading(this.known);
      return { status: 'failed', error, ...(last && { last }), loading: false };
    }
  }

  /** Called when another account became active, or the service of this one may answer now. What was read of this one stays. */
  private startAnew(): void {
    this.asking?.controller.abort();
    this.asking = undefined;
    this.quietUntil = this.refusals = 0;
    const subject = this.describeSubject();
    const isSameSubject = subject === this.subject && lastReading(this.known) !== undefined;
    this.subject = subject;
    this.set(isSameSubject ? { ...this.known, loading: false } : nothingKnown);
    this.askIn(0);
  }

  private describeSubject(): string {
    const { id, baseUrl = '' } = this.current;
    return `${id} ${baseUrl}`;
  }

  private isStale(): boolean {
    return this.known.status !== 'ready' || Date.now() - this.known.reading.readAt >= freshMs;
  }

  /**
   * Schedules a refresh. Skipped if nobody watches, the window is not focused, or the service tells no balance; returning to the window
   * triggers one.
   */
  private askIn(ms: number): void {
    clearTimeout(this.timer);
    this.pauseMs = ms;
    if (this.watchers.size === 0) return;
    if (this.known.status === 'notOffered' && this.current.lacks('GET /user/info')) return;
    this.timer = setTimeout(
      () => {
        if (this.watchers.size > 0 && vscode.window.state.focused) void this.update();
      },
      Math.max(ms, this.quietUntil - Date.now()),
    );
    this.timer.unref();
  }

  private set(state: AccountState): void {
    this.known = state;
    this.changed.fire();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.asking?.controller.abort();
  }
}

/** Whether another request after a while may succeed without any action by the user. */
function mayRecover(state: AccountState): boolean {
  if (state.status === 'failed') return !(isApiError(state.error) && state.error.kind === 'auth');
  return state.status === 'ready' || state.status === 'unknown';
}

function lastReading(state: AccountState): AccountReading | undefined {
  if (state.status === 'ready') return state.reading;
  return state.status === 'failed' ? state.last : undefined;
}
