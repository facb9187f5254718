import type { ControlState } from './controlState';
import type { Pace } from './pace';
import type { Store } from './store';

/** What every part of the service works with; one per running service. */
export interface Service {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly control: ControlState;
  readonly pace: () => Pace;
  /** e.g. `http://127.0.0.1:4711`, without the version segment. */
  readonly origin: () => string;
  /** The answer to a nonce of 64 hexadecimal digits, which proves that this service knows its folder's secret. */
  readonly proof: (nonce: string) => string | undefined;
  /** Fires when the service closes. */
  readonly closing: AbortSignal;
  /** A new id of letters and digits. */
  readonly newId: () => string;
  /** Starts work that outlives its request; its end is awaited on close. */
  readonly background: (work: (signal: AbortSignal) => Promise<void>) => void;
  /** Runs heavy work after all that was handed in before it. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

export const secondsOf = (ms: number): number => Math.floor(ms / 1000);
