import type { RerankProgress } from '../../../protocol/rerank';

type OnProgress = (progress: RerankProgress) => void;

/** Paid work that continues whether or not anyone follows it. */
export class RunningWork<What extends string> {
  private readonly followers = new Set<OnProgress>();
  private readonly ending = new AbortController();
  private last: RerankProgress;
  readonly done: Promise<void>;

  /** Starts the work at once. */
  constructor(
    readonly what: What,
    first: RerankProgress,
    work: (onProgress: OnProgress, signal: AbortSignal) => Promise<void>,
  ) {
    this.last = first;
    this.done = work((progress) => this.tell(progress), this.ending.signal);
    // Followers receive the error. Without any, it must not count as unhandled.
    this.done.catch(() => undefined);
  }

  get progress(): RerankProgress {
    return this.last;
  }

  /** Aborts the requests. */
  stop(): void {
    this.ending.abort();
  }

  /** Reports progress until the end; rejects if the work does. */
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
