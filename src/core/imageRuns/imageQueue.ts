import { changeItem, halted, resumed } from './imageRun';
import type { ImageRun, RunProblem } from './imageRun';
import { lastRequestDelay } from './pace';
import type { SentRequest } from './pace';
import { imagesOf } from './sweep';

/** The outcome of sending one request. */
export type Sent =
  /** `unknown`: the response was lost, so no more requests are sent until a user confirms. */
  | { readonly kind: 'answered' | 'unknown'; readonly jobId: string; readonly problem?: RunProblem }
  /** The service answered with an error, after which the request may have been charged. */
  | { readonly kind: 'failed'; readonly jobId: string; readonly problem: RunProblem }
  /** Certainly not started, because of the request itself: the next one may succeed. */
  | { readonly kind: 'refused'; readonly jobId: string; readonly problem: RunProblem }
  /** Certainly not started, and the next would fail too. The request can be sent later. */
  | { readonly kind: 'held'; readonly problem: RunProblem }
  /** A limit of the service. The request is sent once it is over, or manually if that time is unknown or far off. */
  | { readonly kind: 'limited'; readonly problem: RunProblem; readonly limit?: string; readonly waitMs?: number }
  /** Nothing was sent, and no job is stored. */
  | { readonly kind: 'rejected'; readonly problem: RunProblem };

/** Why the next request of a run is not sent now. */
export interface QueueWait {
  readonly reason: 'pace' | 'limit';
  /** Unix milliseconds. */
  readonly until: number;
  readonly limit?: string | undefined;
  readonly problem?: RunProblem;
}

export interface ImageQueueOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs `run` after `ms`; returns a function that cancels it. */
  readonly later: (ms: number, run: () => void) => () => void;
  /** Images per minute; 0 means no limit. */
  readonly perMinute: () => number;
  /** Recent requests of others than this queue. */
  readonly sentElsewhere: (profileId: string) => readonly SentRequest[];
  /** Never rejects. */
  readonly send: (run: ImageRun, index: number) => Promise<Sent>;
  /** Saves the state of a run. Before a request is sent this must have succeeded; if it throws, nothing is sent. */
  readonly save: (run: ImageRun) => Promise<void>;
  readonly describe: (error: unknown) => RunProblem;
  /** Called when a run changed, before saving it has finished. */
  readonly onChange: (run: ImageRun) => void;
}

/** Requests in flight at one time: images take long, and the rate limit controls the pace. */
const mostAtOnce = 4;
/** Consecutive failures, each of which may cost money or would likely happen again, after which the rest isn't sent. */
const mostFailures = 2;

/** Sends the requests of runs, oldest run first, within the rate limit. Never cancels requests in flight. */
export class ImageQueue {
  private readonly runs = new Map<string, ImageRun>();
  private readonly sent = new Map<string, SentRequest[]>();
  private readonly limits = new Map<string, QueueWait>();
  private readonly failures = new Map<string, number>();
  private atOnce = 0;
  private wake: (() => void) | undefined;
  private isDisposed = false;

  constructor(private readonly options: ImageQueueOptions) {}

  get(id: string): ImageRun | undefined {
    return this.runs.get(id);
  }

  /** Adds a run and sends its waiting requests. */
  add(run: ImageRun): void {
    this.put(run);
    this.look();
  }

  /** Replaces a run in which something other than its sending progress changed. */
  replace(run: ImageRun): void {
    if (this.runs.has(run.id)) this.put(run);
  }

  /** Removes a run. Requests in flight complete, but are no longer reported. */
  remove(id: string): void {
    this.runs.delete(id);
    this.failures.delete(id);
  }

  /** Requests in flight complete; the rest is not sent. */
  stop(id: string): void {
    const run = this.runs.get(id);
    if (!run) return;
    this.put(halted(run, { reason: 'stopped' }));
    this.look();
  }

  goOn(run: ImageRun, change: (run: ImageRun) => ImageRun = resumed): void {
    this.failures.delete(run.id);
    this.limits.delete(keyOf(run));
    this.add(change(run));
  }

  /** Returns why the next request of a run waits, or `undefined` if none is waiting, or it is next. */
  waitOf(run: ImageRun): QueueWait | undefined {
    const index = nextOf(run);
    if (index === -1) return undefined;
    const now = this.options.now();
    const limit = this.limits.get(keyOf(run));
    if (limit && limit.until > now) return limit;
    const delay = this.delayOf(run, index);
    return delay > 0 ? { reason: 'pace', until: now + delay } : undefined;
  }

  /** Returns the recent requests of one profile, from this queue and from others. */
  sentBy(profileId: string): readonly SentRequest[] {
    return [...(this.sent.get(profileId) ?? []), ...this.options.sentElsewhere(profileId)];
  }

  /** Returns the number of images of each waiting request of one profile; `undefined` if it is unknown when they will be sent. */
  waitingBy(profileId: string): readonly number[] | undefined {
    const runs = [...this.runs.values()].filter((run) => run.profileId === profileId && nextOf(run) !== -1);
    return runs.some((run) => this.isLimited(run)) ? undefined : this.waitingOf(profileId, runs);
  }

  /** Sends the requests that are allowed now. Call it after the rate limit changed. */
  look(): void {
    this.wake?.();
    this.wake = undefined;
    if (this.isDisposed) return;
    let soonest = Number.POSITIVE_INFINITY;
    for (const id of this.runs.keys()) {
      for (;;) {
        const run = this.runs.get(id);
        const index = run ? nextOf(run) : -1;
        if (!run || index === -1 || this.atOnce >= mostAtOnce) break;
        const wait = this.waitOf(run);
        if (wait) {
          soonest = Math.min(soonest, wait.until);
          break;
        }
        void this.send(run, index);
      }
    }
    if (soonest === Number.POSITIVE_INFINITY) return;
    this.wake = this.options.later(Math.max(1, soonest - this.options.now()), () => this.look());
  }

  dispose(): void {
    this.isDisposed = true;
    this.wake?.();
  }

  private async send(run: ImageRun, index: number): Promise<void> {
    this.atOnce++;
    const { request } = run.items[index]!;
    const entry: SentRequest = { at: this.options.now(), pictures: imagesOf(request) };
    this.note(run.profileId, entry);
    const sending = this.put(changeItem(run, index, { state: 'sending', problem: undefined }), false);
    let sent: Sent;
    try {
      await this.options.save(sending);
      sent = await this.options.send(sending, index);
    } catch (error) {
      sent = { kind: 'held', problem: this.options.describe(error) };
    }
    this.atOnce--;
    // A request that was not started generates no image.
    if (!['answered', 'unknown', 'failed'].includes(sent.kind)) this.unnote(run.profileId, entry);
    const now = this.runs.get(run.id);
    if (now) this.put(this.after(now, index, sent));
    this.look();
  }

  private after(run: ImageRun, index: number, sent: Sent): ImageRun {
    if (sent.kind === 'answered') this.failures.delete(run.id);
    switch (sent.kind) {
      case 'answered':
        return changeItem(run, index, { state: 'ordered', jobId: sent.jobId });
      case 'unknown': {
        const changed = changeItem(run, index, { state: 'ordered', jobId: sent.jobId });
        return halted(changed, { reason: 'trouble', ...(sent.problem && { problem: sent.problem }) });
      }
      case 'refused':
        return changeItem(run, index, { state: 'ordered', jobId: sent.jobId });
      case 'failed':
        return this.afterFailure(changeItem(run, index, { state: 'ordered', jobId: sent.jobId }), sent.problem);
      case 'rejected':
        return this.afterFailure(changeItem(run, index, { state: 'rejected', problem: sent.problem }), sent.problem);
      case 'held':
        return halted(changeItem(run, index, { state: 'notSent', problem: sent.problem }), {
          reason: 'trouble',
          problem: sent.problem,
        });
      case 'limited':
        return this.afterLimit(run, index, sent);
    }
  }

  /** The cause of one failure may not affect the next request; after two in a row it likely does. */
  private afterFailure(run: ImageRun, problem: RunProblem): ImageRun {
    const count = (this.failures.get(run.id) ?? 0) + 1;
    this.failures.set(run.id, count);
    return count >= mostFailures ? halted(run, { reason: 'trouble', problem }) : run;
  }

  private afterLimit(run: ImageRun, index: number, sent: Extract<Sent, { kind: 'limited' }>): ImageRun {
    const { problem, limit, waitMs } = sent;
    // Stopped in the meantime, or the limit lasts too long, so wait until a user resumes.
    if (waitMs === undefined || run.halt) {
      const held = changeItem(run, index, { state: 'notSent', problem });
      return run.halt ? held : halted(held, { reason: 'trouble', problem });
    }
    this.limits.set(keyOf(run), { reason: 'limit', until: this.options.now() + waitMs, limit, problem });
    return changeItem(run, index, { state: 'waiting' });
  }

  private put(run: ImageRun, isSaved = true): ImageRun {
    this.runs.set(run.id, run);
    // A late or failed save is harmless: the state is recovered from the jobs.
    if (isSaved) this.options.save(run).catch(() => undefined);
    this.options.onChange(run);
    return run;
  }

  private note(profileId: string, entry: SentRequest): void {
    const recent = (this.sent.get(profileId) ?? []).filter(({ at }) => at > entry.at - 60_000);
    this.sent.set(profileId, [...recent, entry]);
  }

  private unnote(profileId: string, entry: SentRequest): void {
    this.sent.set(
      profileId,
      (this.sent.get(profileId) ?? []).filter((one) => one !== entry),
    );
  }

  /** Returns the images of each request to be sent before others, without runs paused by a limit of the service. */
  private waitingOf(profileId: string, runs: readonly ImageRun[]): readonly number[] {
    return runs
      .filter((run) => run.profileId === profileId && !this.isLimited(run))
      .flatMap(({ items }) => items.filter(({ state }) => state === 'waiting'))
      .map(({ request }) => imagesOf(request));
  }

  private isLimited(run: ImageRun): boolean {
    return (this.limits.get(keyOf(run))?.until ?? 0) > this.options.now();
  }

  private delayOf(run: ImageRun, index: number): number {
    const { perMinute, now } = this.options;
    const runs = [...this.runs.values()];
    const before = runs.slice(
      0,
      runs.findIndex(({ id }) => id === run.id),
    );
    const counts = [...this.waitingOf(run.profileId, before), imagesOf(run.items[index]!.request)];
    return lastRequestDelay(this.sentBy(run.profileId), counts, { perMinute: perMinute(), now: now() });
  }
}

function nextOf({ items }: ImageRun): number {
  return items.findIndex(({ state }) => state === 'waiting');
}

/** Limits apply per account and model. */
function keyOf({ profileId, items }: ImageRun): string {
  return `${profileId} ${items[0]?.request.model ?? ''}`;
}
