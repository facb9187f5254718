import type { ApiError, LimitKind } from '../errors';

/** A call that waits now, for a countdown. */
export interface GateWait {
  /** `rateLimit`: at the gate of `limit`, with all others that need it; else before its own next attempt. */
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'server';
  readonly limit?: LimitKind | undefined;
  readonly model?: string | undefined;
  readonly endpoint: string;
  /** Unix milliseconds at which it is sent, unless another's turn comes first. */
  readonly until: number;
  /** The attempt that comes after; 1 where it waits before it was ever sent. */
  readonly attempt: number;
}

/** Leave to send once. Must be settled; a later word adds to an earlier one. */
export interface GatePass {
  /** The limit still holds; nobody for the same model is let through until `until`. */
  limited(error: ApiError, until: number): void;
  /** The service took the request: whoever waits may go. */
  passed(): void;
  /** Neither: the request did not get to where limits are counted. */
  left(): void;
}

export interface GateVisit {
  /** Limits hold per account and model; calls without a model share by endpoint. */
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
  /** Called when a wait begins. */
  readonly onWait: (until: number, limit: LimitKind | undefined) => void;
}

/**
 * One per profile. When a limit was hit, calls for the same model wait together; then one goes first, and the others
 * follow only once it was let in. Those that saw five go first in vain fail with the same error.
 */
export interface Gate {
  enter(visit: GateVisit): Promise<GatePass>;
}

export interface GateOptions {
  readonly clock: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

interface Closed {
  until: number;
  readonly limit: LimitKind | undefined;
  error: ApiError;
  /** How often it was closed again since it was open. */
  strikes: number;
  /** Settles when the one that goes first knows. */
  first: { readonly settled: Promise<void>; readonly settle: () => void } | undefined;
}

const maxStrikes = 5;

export function createGate({ clock, sleep }: GateOptions): Gate {
  const gates = new Gates(clock);
  return {
    async enter({ key, signal, onWait }) {
      const strikesAtStart = gates.latest(key)?.strikes ?? 0;
      for (;;) {
        const gate = gates.latest(key);
        if (!gate) return makePass(gates, key);
        if (gate.strikes - strikesAtStart >= maxStrikes) throw gate.error;
        const ms = gate.until - clock();
        if (ms > 0) {
          onWait(gate.until, gate.limit);
          await sleep(ms, signal);
        } else if (gate.first) {
          await untilSettled(gate.first.settled, signal);
        } else {
          gate.first = deferred();
          return makePass(gates, key, gate);
        }
      }
    },
  };
}

function makePass(gates: Gates, key: string, first?: Closed): GatePass {
  const settle = () => {
    const waiting = first?.first;
    if (first) first.first = undefined;
    waiting?.settle();
  };
  return {
    limited(error, until) {
      gates.close(key, error, { until, isFirst: first !== undefined });
      settle();
    },
    passed() {
      if (first) gates.open(key);
      settle();
    },
    left: settle,
  };
}

/** The gates that are closed, by whom they hold up and by limit. */
class Gates {
  private readonly closed = new Map<string, Map<string, Closed>>();

  constructor(private readonly clock: () => number) {}

  /** The one that opens last. */
  latest(key: string): Closed | undefined {
    const gates = [...(this.closed.get(key)?.values() ?? [])];
    return gates.reduce<Closed | undefined>(
      (last, gate) => (last && last.until >= gate.until ? last : gate),
      undefined,
    );
  }

  close(key: string, error: ApiError, { until, isFirst }: { until: number; isFirst: boolean }): void {
    const gates = this.closed.get(key) ?? new Map<string, Closed>();
    this.closed.set(key, gates);
    const { limit } = error.details;
    const known = gates.get(limit ?? '');
    if (!known) {
      gates.set(limit ?? '', { until, limit, error, strikes: 1, first: undefined });
      return;
    }
    known.error = error;
    known.until = Math.max(until, known.until);
    if (isFirst) known.strikes += 1;
  }

  /** Save for limits that were hit again meanwhile. */
  open(key: string): void {
    const gates = this.closed.get(key);
    for (const [limit, gate] of gates ?? []) if (gate.until <= this.clock()) gates?.delete(limit);
    if (gates?.size === 0) this.closed.delete(key);
  }
}

function deferred(): { readonly settled: Promise<void>; readonly settle: () => void } {
  let settle = () => {};
  const settled = new Promise<void>((resolve) => (settle = resolve));
  return { settled, settle };
}

/** Rejects with the signal's reason when it aborts first. */
function untilSettled(settled: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return settled;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void settled.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
