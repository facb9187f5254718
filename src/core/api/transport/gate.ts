import type { LimitKind } from '../errors';

/** A call that waits now, for a countdown. */
export interface GateWait {
  /** `rateLimit`: at the gate of `limit`, with all others that need it; else before its own next attempt. */
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'server';
  readonly limit?: LimitKind | undefined;
  readonly model?: string | undefined;
  readonly endpoint: string;
  /** Unix milliseconds at which it is sent, unless another's turn comes first. */
  readonly until: number;
  /** The attempt that comes after, from 2. */
  readonly attempt: number;
}
