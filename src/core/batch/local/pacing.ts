import { errorKinds } from '../../api/errorKinds';
import type { ApiError } from '../../api/errors';
import type { RunWait } from './localRun';

/** The most waits in a row without any accepted request between them. */
const mostWaits = 10;
const longestBackoffMs = 60_000;
const firstBackoffMs = 1000;
/** The number of requests in a row, failing in the same way, that ends a run. */
const mostFailedAlike = 10;

/** Decides when a run may send, and how many requests at once, from the outcome of earlier ones. */
export class Pacing {
  private readonly concurrency;
  private last: RunWait | undefined;
  /** When the last wait began. */
  private lastAt = 0;
  private waits = 0;
  private waitedAt = 0;
  private failedAlike = { code: '', times: 0 };

  /**
   * `most` returns the most requests at once and is called each time; `clock` returns Unix milliseconds, `random` a number from 0 up
   * to, not including, 1.
   */
  constructor(
    most: () => number,
    private readonly clock: () => number,
    private readonly random: () => number,
  ) {
    this.concurrency = createConcurrency(most, clock);
  }

  /** The limit of concurrent requests. */
  get allowed(): number {
    return this.concurrency.allowed;
  }

  /** No request is sent before it ends. `undefined` if requests can be sent, or if the clock was set back, which would make it longer. */
  get wait(): RunWait | undefined {
    const now = this.clock();
    return this.last && this.last.until > now && this.lastAt <= now ? this.last : undefined;
  }

  answered(): void {
    this.waits = 0;
    this.failedAlike = { code: '', times: 0 };
    this.last = undefined;
    this.concurrency.answered();
  }

  /** The call of a request waits and will send it again. */
  waiting(wait: RunWait): void {
    this.concurrency.lower();
    this.begin(wait);
  }

  private begin(wait: RunWait): void {
    if (this.wait && wait.until <= this.wait.until) return;
    this.last = wait;
    this.lastAt = this.clock();
  }

  /**
   * A request was not admitted. `waitMs` is the wait that the service requested, if any. All that were in progress then count as one wait.
   * Returns `false` if that happened too often.
   */
  notLetIn(error: ApiError, { waitMs, startedAt }: { waitMs: number | undefined; startedAt: number }): boolean {
    const { clock } = this;
    this.concurrency.lower();
    if (startedAt >= this.waitedAt) {
      this.waits++;
      this.waitedAt = clock();
    }
    const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (this.waits - 1));
    const until = clock() + (waitMs || Math.round(ceiling * (0.5 + this.random() / 2)));
    const reason = errorKinds[error.kind].retry ?? 'network';
    this.begin({ reason, until, limit: error.details.limit });
    return this.waits <= mostWaits;
  }

  /** A request failed for a reason other than its content. Returns `false` if that happened too often to try all others. */
  failed(code: string): boolean {
    this.failedAlike = { code, times: this.failedAlike.code === code ? this.failedAlike.times + 1 : 1 };
    return this.failedAlike.times < mostFailedAlike;
  }
}

/** The limit of concurrent requests, which is reduced after the service reports too many, and then slowly increased. */
interface Concurrency {
  readonly allowed: number;
  /** The service requires fewer requests. Several such responses at once count as one. */
  lower(): void;
  /** A request was answered. */
  answered(): void;
}

/** Requests that were in progress together are rejected together. */
const sameMs = 1000;
/** The number of answers, for each request allowed at once, before one more is allowed. */
const answersPerRaise = 2;

/** `most` is called each time because it may change. `clock` returns milliseconds. */
export function createConcurrency(most: () => number, clock: () => number): Concurrency {
  let target = most();
  let lowered = Number.NEGATIVE_INFINITY;
  let streak = 0;
  const allowed = () => Math.max(1, Math.min(target, most()));
  return {
    get allowed() {
      return allowed();
    },
    lower() {
      streak = 0;
      const now = clock();
      if (now >= lowered && now - lowered < sameMs) return;
      lowered = now;
      target = Math.max(1, Math.floor(allowed() / 2));
    },
    answered() {
      streak++;
      if (streak < allowed() * answersPerRaise) return;
      streak = 0;
      target = Math.min(most(), allowed() + 1);
    },
  };
}

/** The number of tokens used within the last minute. */
interface TokenRate {
  add(tokens: number): void;
  perMinute(): number;
}

const minuteMs = 60_000;
/** The minimum time for extrapolation, because a shorter one says nothing about a minute. */
const leastMs = 5000;

/** `clock` returns milliseconds. During the first minute, the rate is extrapolated to a whole one. */
export function createTokenRate(clock: () => number): TokenRate {
  const startedAt = clock();
  let entries: { readonly at: number; readonly tokens: number }[] = [];
  return {
    add: (tokens) => void entries.push({ at: clock(), tokens }),
    perMinute() {
      const now = clock();
      entries = entries.filter(({ at }) => Math.abs(now - at) < minuteMs);
      const sum = entries.reduce((all, { tokens }) => all + tokens, 0);
      const past = Math.min(minuteMs, Math.max(leastMs, now - startedAt));
      return Math.round((sum * minuteMs) / past);
    },
  };
}
