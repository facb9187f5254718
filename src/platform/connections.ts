import type { Event } from 'vscode';
import type { Client } from '../core/api/client';
import type { Disposable } from './disposables';
import type { Profile } from './profiles';

/** An address and a key that are not (yet) a profile's, to be tried before they are kept. */
export interface Candidate {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** API clients, one per profile, made at first use and made anew when the profile or the network settings change. */
export interface Connections extends Disposable {
  /**
   * Ask for it at each use and do not keep it: the service behind it may have to be started first, or the profile may
   * have changed. Throws `ApiError` of kind `auth` when there is no such profile or it has no key.
   */
  client(profileId?: string): Promise<Client>;
  /** A client for trying an address and a key. Close it after use. */
  trial(candidate: Candidate): Promise<Client>;
  /** Runs `prepare` before each `client`, e.g. to start the service it speaks to. */
  onBeforeUse(prepare: (profile: Profile) => Promise<void>): Disposable;
  /** Forgets which endpoints the service did not offer, so that they are asked again. */
  forgetOffers(profileId: string): Promise<void>;
  /** What `client()` gives is another one now: other profile, key, address or network stack. */
  readonly onDidChange: Event<void>;
}
