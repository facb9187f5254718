import type { Event } from 'vscode';
import type { Disposable } from './disposables';

/** What the service says about the account. Amounts are exact decimal text, never numbers. What is empty is left out. */
export interface AccountInfo {
  readonly id?: string;
  readonly status?: string;
  /** The one to show: paid and gift together. */
  readonly totalBalance?: string;
  readonly chargeBalance?: string;
  /** The gift part, `balance` on the wire. */
  readonly giftBalance?: string;
  readonly role?: string;
  readonly introduction?: string;
  readonly name?: string;
  readonly email?: string;
  readonly isAdmin?: boolean;
}

export interface AccountReading {
  readonly info: AccountInfo;
  /** Unix milliseconds. */
  readonly readAt: number;
}

export type AccountState =
  /** No profile, or no key for it. */
  | { readonly status: 'signedOut' }
  /** Not asked yet, or being asked for the first time. */
  | { readonly status: 'unknown'; readonly loading: boolean }
  | { readonly status: 'ready'; readonly reading: AccountReading; readonly loading: boolean }
  /** The service has no such endpoint (any more). */
  | { readonly status: 'notOffered'; readonly loading: boolean }
  /** `last` is what was known before, with its age. */
  | { readonly status: 'failed'; readonly error: unknown; readonly last?: AccountReading; readonly loading: boolean };

/** Status and balance of the active profile. Asks the service only when someone looks or after paid work. */
export interface Account extends Disposable {
  readonly state: AccountState;
  readonly onDidChange: Event<void>;
  /** Never rejects: what went wrong is in `state`. Calls at the same time share one request. */
  refresh(): Promise<void>;
  /** While held, the reading is kept fresh: asked for when older than five minutes, and after paid work. */
  watch(): Disposable;
}
