import type { Event } from 'vscode';
import type { Disposable } from '../../platform/disposables';

export interface RemoteListState<T> {
  readonly session: 'starting' | 'signedOut' | 'signedIn';
  /** As last loaded. Kept if a later attempt fails. */
  readonly items: readonly T[];
  /** Whether the service has more than was requested. */
  readonly hasMore: boolean;
  /** Unix milliseconds; `undefined` until the list has been read. */
  readonly readAt: number | undefined;
  readonly loading: boolean;
  /** Error of the last attempt, if that failed. */
  readonly error: unknown;
}

/** A list of the active profile that is read from the service when someone looks at it. */
export interface RemoteList<T> extends Disposable {
  readonly state: RemoteListState<T>;
  readonly onDidChange: Event<RemoteListState<T>>;
  /** Reads the list unless that happened within the last minute. Never rejects: a failure is in `state`. */
  ensureFresh(): Promise<RemoteListState<T>>;
  /** Reads the list unless that happened within the last minute, now and for each account that becomes active until the result is disposed. */
  follow(): Disposable;
  /** Reads the list. Concurrent calls share one request. Never rejects. */
  refresh(): Promise<RemoteListState<T>>;
  /** Reads more of the list. Never rejects. */
  showMore(): Promise<RemoteListState<T>>;
}

export interface RemoteListOptions<T> {
  readonly profiles: {
    readonly active: { readonly id: string; readonly baseUrl: string } | undefined;
    readonly onDidChange: (listener: () => void) => Disposable;
    key(profileId: string): Promise<string | undefined>;
  };
  /** `rounds` is how often more was requested: 0 at first. */
  readonly load: (
    rounds: number,
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }>;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

const freshMs = 60_000;

/** The state of one profile; replaced as a whole when another one becomes active. */
interface AccountState<T> {
  readonly profile: { readonly id: string; readonly baseUrl: string } | undefined;
  readonly abort: AbortController;
  checked: Promise<void>;
  reading: Promise<void> | undefined;
  session: RemoteListState<T>['session'];
  rounds: number;
  items: readonly T[];
  hasMore: boolean;
  readAt: number | undefined;
  error: unknown;
}

export function createRemoteList<T>(options: RemoteListOptions<T>): RemoteList<T> {
  return new ProfileList(options);
}

class ProfileList<T> implements RemoteList<T> {
  private readonly listeners = new Set<(state: RemoteListState<T>) => unknown>();
  private readonly followers = new Set<Disposable>();
  private readonly listening: Disposable;
  private readonly now: () => number;
  private current: AccountState<T>;

  constructor(private readonly options: RemoteListOptions<T>) {
    this.now = options.now ?? Date.now;
    this.current = this.openState();
    this.listening = options.profiles.onDidChange(() => this.onProfileChanged());
  }

  get state(): RemoteListState<T> {
    const { session, items, hasMore, readAt, reading, error } = this.current;
    const shown = session === 'signedOut' ? [] : items;
    return { session, items: shown, hasMore, readAt, loading: reading !== undefined, error };
  }

  readonly onDidChange: Event<RemoteListState<T>> = (listener, thisArgument) => {
    const bound = (state: RemoteListState<T>): unknown => listener.call(thisArgument, state);
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };

  async ensureFresh(): Promise<RemoteListState<T>> {
    const current = await this.checked();
    const fresh = current.readAt !== undefined && current.error === undefined && this.now() - current.readAt < freshMs;
    return fresh ? this.state : this.refresh();
  }

  follow(): Disposable {
    const follower = { dispose: () => void this.followers.delete(follower) };
    this.followers.add(follower);
    void this.ensureFresh();
    return follower;
  }

  async refresh(): Promise<RemoteListState<T>> {
    const current = await this.checked();
    if (current.session === 'signedIn') {
      current.reading ??= this.read(current).finally(() => {
        current.reading = undefined;
        this.fire(current);
      });
      this.fire(current);
      await current.reading;
    }
    return this.state;
  }

  async showMore(): Promise<RemoteListState<T>> {
    const { current } = this;
    await current.reading;
    if (!current.hasMore) return this.state;
    current.rounds++;
    return this.refresh();
  }

  dispose(): void {
    this.listening.dispose();
    this.current.abort.abort();
    this.listeners.clear();
    this.followers.clear();
  }

  /** Resolves with the state of the account that is active by then, once it is known whether it has a key. */
  private async checked(): Promise<AccountState<T>> {
    for (;;) {
      const { current } = this;
      await current.checked;
      if (current === this.current) return current;
    }
  }

  private openState(): AccountState<T> {
    const current: AccountState<T> = {
      profile: this.options.profiles.active,
      abort: new AbortController(),
      checked: Promise.resolve(),
      reading: undefined,
      session: 'starting',
      rounds: 0,
      items: [],
      hasMore: false,
      readAt: undefined,
      error: undefined,
    };
    current.checked = this.checkKey(current);
    return current;
  }

  private async checkKey(current: AccountState<T>): Promise<void> {
    const key = current.profile && (await this.options.profiles.key(current.profile.id).catch(() => undefined));
    const session = key === undefined ? 'signedOut' : 'signedIn';
    if (current.session === session) return;
    current.session = session;
    this.fire(current);
    if (current === this.current && session === 'signedIn' && this.followers.size > 0) void this.ensureFresh();
  }

  private async read(current: AccountState<T>): Promise<void> {
    try {
      const { items, hasMore } = await this.options.load(current.rounds, current.abort.signal);
      current.items = items;
      current.hasMore = hasMore;
      current.readAt = this.now();
      current.error = undefined;
    } catch (error) {
      current.error = error;
    }
  }

  private onProfileChanged(): void {
    const { active } = this.options.profiles;
    const { profile } = this.current;
    if (active?.id === profile?.id && active?.baseUrl === profile?.baseUrl) {
      this.current.checked = this.checkKey(this.current);
      return;
    }
    this.current.abort.abort();
    this.current = this.openState();
    this.fire(this.current);
  }

  /** Ignores changes of a state that is no longer current. */
  private fire(current: AccountState<T>): void {
    if (current !== this.current) return;
    const { state } = this;
    for (const listener of this.listeners) listener(state);
  }
}
