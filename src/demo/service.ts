import type { ControlState } from './controlState';
import type { Pace } from './pace';
import type { Store } from './store';

/** What every part of the service depends on; one per running service. */
export interface Service {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly control: ControlState;
  readonly pace: () => Pace;
  /** Without the version segment, such as `http://127.0.0.1:4711`. */
  readonly origin: () => string;
  /** Returns the answer to a nonce of 64 hexadecimal digits, which proves that this service knows its folder's secret. */
  readonly proof: (nonce: string) => string | undefined;
  /** Aborts when the service closes. */
  readonly closing: AbortSignal;
  /** Returns a new id of letters and digits. */
  readonly newId: () => string;
  /** Starts work that outlives its request; closing the service awaits its end. */
  readonly background: (work: (signal: AbortSignal) => Promise<void>) => void;
  /** Runs heavy work after everything that was queued before it. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/** By this path an address is recognized as the demo's, and not as that of another server on this machine. */
export const demoPath = '/demo';

export const secondsOf = (ms: number): number => Math.floor(ms / 1000);
