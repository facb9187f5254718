import type { ApiError, LimitKind } from '../errors';

/** Why a call waits. */
export interface WaitReason {
  /** `rateLimit`: waits for `limit` with all other calls under it; else waits before its own next attempt. */
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'server';
  readonly limit?: LimitKind | undefined;
  readonly model?: string | undefined;
}

/** A call that is waiting, for a countdown. */
export interface GateWait extends WaitReason {
  readonly endpoint: string;
  /** Unix milliseconds when the call will be sent, unless another call goes first. */
  readonly until: number;
  /** The number of the next attempt; 1 if the call was never sent. */
  readonly attempt: number;
}

/** A permission to send one request. One of its methods must be called; a later call adds to an earlier one. */
export interface GatePass {
  /** The limit still applies; no call for the same model passes until `until`. */
  limited(error: ApiError, until: number): void;
  /** The service accepted the request: waiting calls may go. */
  passed(): void;
  /** Neither: the request did not get as far as the limits are checked. */
  left(): void;
}

export interface GateVisit {
  /** Limits apply per account and model; calls without a model share one per endpoint. */
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
  /** Called when a wait begins. */
  readonly onWait: (until: number, limit: LimitKind | undefined) => void;
}

/**
 * A gate for rate limits, one per profile. After a limit is hit, calls for the same model wait together; then one goes first, and the
 * others follow only once it was accepted. A call that has seen five of them fail fails with the same error.
 */
export interface Gate {
  enter(visit: GateVisit): Promise<GatePass>;
}

interface Closed {
  until: number;
  readonly limit: LimitKind | undefined;
  error: ApiError;
  /** Hits of the limit: the first one, plus one for each failed attempt of the call that goes first. */
  strikes: number;
  /** Settles when the outcome of the call that goes first is known. */
  first: { readonly settled: Promise<void>; readonly settle: () => void } | undefined;
}

const maxStrikes = 5;

export function createGate(clock: () => number, sleep: (ms: number, signal?: AbortSignal) => Promise<void>): Gate {
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

/** The closed gates, by key and by limit. */
class Gates {
  private readonly closed = new Map<string, Map<string, Closed>>();

  constructor(private readonly clock: () => number) {}

  /** Returns the gate that opens last. */
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

  /** Opens all gates of a key except limits that were hit again in the meantime. */
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

/** Rejects with the signal's reason if it aborts first. */
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
