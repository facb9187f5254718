import type { RerankProgress } from '../../../protocol/rerank';

type OnProgress = (progress: RerankProgress) => void;

/** Paid work that goes on, whoever looks at it. */
export class RunningWork<What extends string> {
  private readonly followers = new Set<OnProgress>();
  private readonly ending = new AbortController();
  private last: RerankProgress;
  readonly done: Promise<void>;

  /** Starts at once. */
  constructor(
    readonly what: What,
    first: RerankProgress,
    work: (onProgress: OnProgress, signal: AbortSignal) => Promise<void>,
  ) {
    this.last = first;
    this.done = work((progress) => this.tell(progress), this.ending.signal);
    // Whoever follows it is told of a fault; nobody may.
    this.done.catch(() => undefined);
  }

  get progress(): RerankProgress {
    return this.last;
  }

  /** Ends its requests. */
  stop(): void {
    this.ending.abort();
  }

  /** Tells how it goes until its end; rejects as it does. */
  async follow(onProgress: OnProgress): Promise<void> {
    this.followers.add(onProgress);
    onProgress(this.last);
    try {
      await this.done;
    } finally {
      this.followers.delete(onProgress);
    }
  }

  private tell(progress: RerankProgress): void {
    this.last = progress;
    for (const follower of this.followers) follower(progress);
  }
}
