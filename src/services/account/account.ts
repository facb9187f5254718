import * as vscode from 'vscode';
import type { PaidCalls } from '../../core/account/paidCalls';
import type { AccountInfo } from '../../core/api/account/account.schema';
import type { WrittenChat } from '../../core/api/chat/chat';
import type { Client } from '../../core/api/client';
import type { Exchange } from '../../core/api/exchange';
import type { LearnedStore, StatedOfBatches } from '../../core/api/learned';
import type { MessageRequest } from '../../core/api/messages/messages.schema';
import type { GateWait } from '../../core/api/transport/gate';
import type { OnSetAside } from '../../core/storage/storedFile';
import type { KeyHeader } from '../../core/profiles/knownServices';
import type { Profile, ProfileProblem } from '../../core/profiles/profile';
import type { CallUse } from '../../core/usage/meteredClient';
import type { Activity } from '../../platform/activity';
import { type Disposable, DisposableStore } from '../../platform/disposables';
import type { Settings } from '../../platform/settings';
import type { ExchangeLog } from '../diagnostics/diagnostics';
import { CurrentAccount } from './currentAccount';
import { ServiceConnections } from './connections';
import { StoredProfiles } from './profiles';
import { isApiError } from '../../core/api/errors';

export type { Profile } from '../../core/profiles/profile';
export type { CurrentAccount } from './currentAccount';

export type ProfilesChange = 'list' | 'active' | 'key';

/** The user's choices for a profile. */
export type ProfileEntry = { readonly [Name in keyof Omit<Profile, 'origin'>]: Profile[Name] | undefined } & Pick<
  Profile,
  'id' | 'name' | 'baseUrl'
>;

/** Profiles and their keys. The list is in the user's settings, the keys are in the editor's secret storage. */
export interface Profiles extends Disposable {
  /** In the order of the setting, without unusable entries. */
  readonly list: readonly Profile[];
  /** This window's choice, else the last one made in any window, else the first of the list. */
  readonly active: Profile | undefined;
  /** The unusable entries of the setting. */
  readonly problems: readonly ProfileProblem[];
  get(id: string): Profile | undefined;
  readonly onDidChange: vscode.Event<ProfilesChange>;

  /**
   * Resolves with the key entered for this profile at its current origin; never one entered for another origin. An empty text if the
   * service is used without a key; `undefined` if the user is signed out.
   */
  key(profileId: string): Promise<string | undefined>;
  /** Makes the next `key` read the secret storage again, e.g. because the service rejected the key. */
  forgetCachedKey(profileId: string): void;
  /** Resolves with whether a key was stored for this profile and origin, but the secret storage lost it. */
  isKeyVanished(profileId: string): Promise<boolean>;
  /** Only for a key that passed `cleanKey`. Resolves with whether it could be read back from the secret storage. */
  storeKey(profileId: string, key: string): Promise<boolean>;
  /** Removes the keys for all origins. The profile remains. */
  signOut(profileId: string): Promise<void>;

  /** Adds the profile, or replaces the one with its id. Does not make it active. Throws if the URL is not usable. */
  save(profile: ProfileEntry): Promise<Profile>;
  setActive(profileId: string): Promise<void>;
  /** Removes the profile and its keys. */
  remove(profileId: string): Promise<void>;
}

/** Resolves with whether there is an active profile with a key, or one that needs none. */
export async function isSignedIn(profiles: Profiles): Promise<boolean> {
  return profiles.active !== undefined && (await profiles.key(profiles.active.id)) !== undefined;
}

/** A URL and a key that do not belong to a profile (yet), to be tried before they are saved. */
export interface Candidate {
  readonly baseUrl: string;
  /** Empty for a service that is tried without one. */
  readonly apiKey: string;
  readonly keyHeader?: KeyHeader | undefined;
}

/** API clients, one per profile, created on first use and recreated when the profile's URL changes. */
export interface Connections extends Disposable {
  /**
   * Resolves to a metered client: what its calls use is counted, and they throw once a budget is used up. Call this for each use and do not
   * store the client: its service may have to be started first, or the profile may have changed. Throws `ApiError` of kind `auth` without a
   * status if there is no such profile or it has no key.
   */
  client(profileId?: string, use?: CallUse): Promise<Client>;
  /** Returns a chat's request as the profile's service would be sent it now. Sends nothing. */
  written(profile: Profile, request: MessageRequest): Promise<WrittenChat>;
  /** Resolves with what responses showed about the account's service and its models. */
  learned(profile: Profile): Promise<LearnedStore>;
  /**
   * Like `client`, but with a client that `onExchange` follows and that must be closed after use. What it learns goes into `learned`, not into
   * what the other clients of the account use.
   */
  observed(profile: Profile, learned: LearnedStore, onExchange: (exchange: Exchange) => void): Promise<Client>;
  /** Creates a client for trying a URL and a key; nothing is remembered. Close it after use. */
  trial(candidate: Candidate): Promise<Client>;
  /** Runs `prepare` before each `client`, e.g. to start the service the client talks to. */
  onBeforeUse(prepare: (profile: Profile) => Promise<void>): Disposable;
  /**
   * Forgets which endpoints the service did not offer, so that they are requested again; with `andKnown`, also those that it is known not
   * to have.
   */
  forgetOffers(profileId: string, options?: { readonly andKnown?: boolean }): Promise<void>;
  /**
   * Whether an account's service is known, or was found within the last day, not to have one of these endpoints, such as `GET /batches`.
   * The first call reads from disk what was found before, and returns false.
   */
  lacks(profile: Profile, endpoints: readonly string[]): boolean;
  /**
   * Returns the limits of batches that the active account's service stated in rejections; the same object as long as they do not change.
   * The first call reads them from disk, and returns none.
   */
  statedOfBatches(): StatedOfBatches;
  /** Fires when `lacks` or `statedOfBatches` may have changed. */
  readonly onDidChangeOffers: vscode.Event<void>;
  /** Must be called after a service is started or stopped, so that those whose requests it refused try again. */
  tellChange(): void;
  /** Fires when `client()` returns a client for another account or connection, or one whose service has become reachable. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when a client has been returned, and the service is about to be used. */
  readonly onDidUse: vscode.Event<Profile>;
  /** Fires when a call waits for a rate limit or before a retry. */
  readonly onDidWait: vscode.Event<GateWait>;
  /** Whether the editor's settings or the environment name a proxy. A proxy set only in the system is not visible from here. */
  isProxyConfigured(): Promise<boolean>;
  /** Paid calls of this window, without jobs (images, videos, speech, batches). */
  paidCalls(profileId: string): PaidCalls;
}

export interface AccountReading {
  readonly info: AccountInfo;
  /** Unix milliseconds. The reading reflects some moment between the two. */
  readonly requestedAt: number;
  readonly readAt: number;
}

export type AccountState =
  /** There is no profile, or no key for it. */
  | { readonly status: 'signedOut'; readonly loading: boolean }
  /** Not requested yet, or being requested for the first time. */
  | { readonly status: 'unknown'; readonly loading: boolean }
  | { readonly status: 'ready'; readonly reading: AccountReading; readonly loading: boolean }
  /** The service does not, or no longer, have this endpoint. */
  | { readonly status: 'notOffered'; readonly loading: boolean }
  /** `last` is the previous reading, with its age. */
  | { readonly status: 'failed'; readonly error: unknown; readonly last?: AccountReading; readonly loading: boolean };

/** The active account, with its status and balance. Queries the service only while someone is watching or after paid work. */
export interface Account extends Disposable {
  /** The account that this window uses now: its choice, else the last one made in any window, else the first of the list. */
  readonly current: CurrentAccount;
  readonly state: AccountState;
  readonly onDidChange: vscode.Event<void>;
  /** Never rejects: a failure is in `state`. Concurrent calls share one request. */
  refresh(): Promise<void>;
  /**
   * Until disposed, the account is refreshed after paid work and when its reading is older than five minutes; up to thirty while the balance
   * stays the same.
   */
  watch(): Disposable;
}

/** Resolves to the client with its calls counted for a profile. */
export type Meter = (client: Client, profileId: string, use: CallUse | undefined) => Promise<Client>;

/** How the calls of all clients are counted, and held to the spending cap. */
export interface Metering {
  readonly meter: Meter;
  /** Throws if the account has reached its spending cap. */
  readonly holdPaid: (profileId: string) => Promise<void>;
}

export interface AccountOptions extends Metering {
  readonly context: vscode.ExtensionContext;
  readonly settings: Settings;
  readonly exchanges: ExchangeLog;
  readonly activity: Activity;
  readonly onSetAside: OnSetAside;
}

/** The accounts' data, and the connections to their services. `store` owns all of it. */
export function createAccounts(options: AccountOptions, store: DisposableStore) {
  const profiles = store.add(new StoredProfiles(options));
  const connections = store.add(new ServiceConnections({ ...options, profiles }));
  const account = store.add(new WatchedAccount({ ...options, profiles, connections }));
  return { profiles, connections, account };
}

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

class WatchedAccount implements Account {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly watchers = new Set<symbol>();
  private used: CurrentAccount;
  private known: AccountState = nothingKnown;
  /** The account that `known` is about. */
  private subject = '';
  private asking: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The wait before the scheduled or current request. 0 if another balance is likely. */
  private pauseMs = 0;
  /** How often in a row the service returned something else than the balance, and until when it isn't asked automatically. */
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
   * Schedules a refresh. Skipped if nobody watches, the window isn't focused, or the service reports no balance. Returning to the window
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
