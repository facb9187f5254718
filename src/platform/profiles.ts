import type { Event } from 'vscode';
import type { Disposable } from './disposables';

/** An account at a service. Its key is apart, in the editor's secret storage. */
export interface Profile {
  readonly id: string;
  /** What the person calls it. */
  readonly name: string;
  /** Without a slash at the end, e.g. `https://api.example.com/v1`. Https unless the host is this machine. */
  readonly baseUrl: string;
  /** Scheme, host and port of `baseUrl`; the key is bound to it. */
  readonly origin: string;
}

/** Whether a key just stored will still be there: read back at once, and again known to the system's keyring. */
export interface StoredKey {
  readonly readBack: boolean;
}

/** Profiles and their keys. The list lives in the user's settings, keys in the editor's secret storage. */
export interface Profiles extends Disposable {
  /** In the order of the setting; entries that cannot be used are left out. */
  readonly list: readonly Profile[];
  /** This window's choice, else the last one made anywhere, else the first of the list. */
  readonly active: Profile | undefined;
  /** Why entries of the setting were left out, in words. */
  readonly problems: readonly string[];
  get(id: string): Profile | undefined;
  /** The list, the active profile or a key changed. */
  readonly onDidChange: Event<void>;

  /** The key that was entered for this profile at the origin it has now; never one entered for another origin. */
  key(profileId: string): Promise<string | undefined>;
  /** Makes the next `key` ask the secret storage again, e.g. because the service refused the one it got. */
  forgetCachedKey(profileId: string): void;
  /** Only for a key that passed `cleanKey`. */
  storeKey(profileId: string, key: string): Promise<StoredKey>;
  /** Removes the key for every origin it was entered for. The profile stays. */
  signOut(profileId: string): Promise<void>;

  /** Adds or replaces by id. `baseUrl` must have passed `normaliseBaseUrl`. Does not make it active. */
  save(profile: Omit<Profile, 'origin'>): Promise<Profile>;
  setActive(profileId: string): Promise<void>;
  /** Removes the profile and its keys. */
  remove(profileId: string): Promise<void>;
}
