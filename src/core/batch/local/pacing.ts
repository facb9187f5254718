import type { ApiError } from '../../api/errors';
import { createConcurrency } from './concurrency';
import type { RunWait } from './localRun';

/** So many waits one after the other, with nothing let in between, are enough. */
const mostWaits = 10;
const longestBackoffMs = 60_000;
const firstBackoffMs = 1000;
/** So many requests in a row that fail in the same way are enough. */
const mostFailedAlike = 10;

export interface PacingOptions {
  /** The most requests at once; asked each time. */
  readonly most: () => number;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** 0 up to 1. */
  readonly random: () => number;
}

/** When a run may send, and how much at once, by what became of what it sent. */
export class Pacing {
  private readonly concurrency;
  private last: RunWait | undefined;
  private waits = 0;
  private waitedAt = 0;
  private failedAlike = { code: '', times: 0 };

  constructor(private readonly options: PacingOptions) {
    this.concurrency = createConcurrency(options.most, options.clock);
  }

  /** Requests that may be under way at once. */
  get allowed(): number {
    return this.concurrency.allowed;
  }

  /** Nothing is to be sent until then; `undefined`: something may. */
  get wait(): RunWait | undefined {
    return this.last && this.last.until > this.options.clock() ? this.last : undefined;
  }

  answered(): void {
    this.waits = 0;
    this.failedAlike = { code: '', times: 0 };
    this.last = undefined;
    this.concurrency.answered();
  }

  /** A request that was sent waits by itself. */
  waiting(wait: RunWait): void {
    this.concurrency.lower();
    if (!this.last || wait.until > this.last.until) this.last = wait;
  }

  /** A request was not let in. All that were under way then count as one wait. False: it was so too often. */
  notLetIn(error: ApiError, { waitMs, startedAt }: { waitMs: number | undefined; startedAt: number }): boolean {
    const { clock, random } = this.options;
    this.concurrency.lower();
    if (startedAt >= this.waitedAt) {
      this.waits++;
      this.waitedAt = clock();
    }
    const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (this.waits - 1));
    const until = clock() + (waitMs ?? Math.round(ceiling * (0.5 + random() / 2)));
    const reason = error.kind === 'rateLimit' || error.kind === 'overloaded' ? error.kind : 'network';
    if (until > (this.last?.until ?? 0)) this.last = { reason, until, limit: error.details.limit };
    return this.waits <= mostWaits;
  }

  /** A request failed by no fault of its own. False: it was so too often for trying it on all others. */
  failed(code: string): boolean {
    this.failedAlike = { code, times: this.failedAlike.code === code ? this.failedAlike.times + 1 : 1 };
    return this.failedAlike.times < mostFailedAlike;
  }
}
