import { changeItem, halted, resumed } from './imageRun';
import type { ImageRun, RunProblem } from './imageRun';
import { lastOrderDelay } from './pace';
import type { Ordered } from './pace';
import { imagesOf } from './sweep';

/** What became of one order. */
export type Sent =
  /** `unknown`: its answer was lost; nothing more is sent then before a person says so. */
  | { readonly kind: 'answered' | 'unknown'; readonly jobId: string; readonly trouble?: RunProblem }
  /** Certainly not begun, for what stands in the order itself. */
  | { readonly kind: 'refused'; readonly jobId: string; readonly trouble: RunProblem }
  /** Certainly not begun, and the next would not be either. It can be sent later. */
  | { readonly kind: 'held'; readonly trouble: RunProblem }
  /** A limit of the service: it is sent when that is over; by hand where that is not known or takes long. */
  | { readonly kind: 'limited'; readonly trouble: RunProblem; readonly limit?: string; readonly waitMs?: number }
  /** Nothing was sent, nothing is kept. */
  | { readonly kind: 'rejected'; readonly trouble: RunProblem };

/** Why the next order of a run is not sent now. */
export interface QueueWait {
  readonly reason: 'pace' | 'limit';
  /** Unix milliseconds. */
  readonly until: number;
  readonly limit?: string | undefined;
  readonly trouble?: RunProblem;
}

export interface ImageQueueOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs it later; gives what calls that off. */
  readonly later: (ms: number, run: () => void) => () => void;
  /** Pictures; 0 is no limit. */
  readonly perMinute: () => number;
  /** By others than this queue, lately. */
  readonly orderedElsewhere: (profileId: string) => readonly Ordered[];
  /** Never rejects. */
  readonly send: (run: ImageRun, index: number) => Promise<Sent>;
  /** Keeps how a run is now. Before an order is sent this must have been done; where it throws, nothing is sent. */
  readonly save: (run: ImageRun) => Promise<void>;
  readonly describe: (error: unknown) => RunProblem;
  /** It is being saved by then. */
  readonly onChange: (run: ImageRun) => void;
}

/** Orders on their way at one time: pictures take long, and the pace is held by the limit. */
const mostAtOnce = 4;
/** Refusals in a row after which the rest is not tried. */
const mostRefusals = 2;

/** Sends the orders of runs, those that were given first first, no faster than the pace. Gives nothing up that is on its way. */
export class ImageQueue {
  private readonly runs = new Map<string, ImageRun>();
  private readonly ordered = new Map<string, Ordered[]>();
  private readonly limits = new Map<string, QueueWait>();
  private readonly refusals = new Map<string, number>();
  private atOnce = 0;
  private wake: (() => void) | undefined;
  private isDisposed = false;

  constructor(private readonly options: ImageQueueOptions) {}

  get(id: string): ImageRun | undefined {
    return this.runs.get(id);
  }

  /** Takes a run in, and sends what waits of it. */
  add(run: ImageRun): void {
    this.put(run);
    this.look();
  }

  /** What is known of a run besides how far it is sent has changed. */
  replace(run: ImageRun): void {
    if (this.runs.has(run.id)) this.put(run);
  }

  /** What is on its way comes, and is not told of any more. */
  remove(id: string): void {
    this.runs.delete(id);
    this.refusals.delete(id);
  }

  /** What is on its way comes; the rest is not sent. */
  stop(id: string): void {
    const run = this.runs.get(id);
    if (!run) return;
    this.put(halted(run, { reason: 'stopped' }));
    this.look();
  }

  goOn(run: ImageRun, change: (run: ImageRun) => ImageRun = resumed): void {
    this.refusals.delete(run.id);
    this.limits.delete(keyOf(run));
    this.add(change(run));
  }

  /** Why what is next of a run waits; `undefined` where nothing of it does, or it is next. */
  waitOf(run: ImageRun): QueueWait | undefined {
    const index = nextOf(run);
    if (index === -1) return undefined;
    const now = this.options.now();
    const limit = this.limits.get(keyOf(run));
    if (limit && limit.until > now) return limit;
    const delay = this.delayOf(run, index);
    return delay > 0 ? { reason: 'pace', until: now + delay } : undefined;
  }

  /** Of one profile, by this queue and by others. */
  orderedBy(profileId: string): readonly Ordered[] {
    return [...(this.ordered.get(profileId) ?? []), ...this.options.orderedElsewhere(profileId)];
  }

  /** Pictures of each order that waits, of one profile; `undefined` where it is not known when they are given. */
  waitingBy(profileId: string): readonly number[] | undefined {
    const runs = [...this.runs.values()].filter((run) => run.profileId === profileId && nextOf(run) !== -1);
    return runs.some((run) => this.isLimited(run)) ? undefined : this.waitingOf(profileId, runs);
  }

  /** The pace may be another one. */
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
    const order: Ordered = { at: this.options.now(), pictures: imagesOf(request) };
    this.note(run.profileId, order);
    const sending = this.put(changeItem(run, index, { state: 'sending', trouble: undefined }), false);
    let sent: Sent;
    try {
      await this.options.save(sending);
      sent = await this.options.send(sending, index);
    } catch (error) {
      sent = { kind: 'held', trouble: this.options.describe(error) };
    }
    this.atOnce--;
    // What was not begun makes no picture.
    if (sent.kind !== 'answered' && sent.kind !== 'unknown') this.unnote(run.profileId, order);
    const now = this.runs.get(run.id);
    if (now) this.put(this.after(now, index, sent));
    this.look();
  }

  private after(run: ImageRun, index: number, sent: Sent): ImageRun {
    if (sent.kind !== 'refused') this.refusals.delete(run.id);
    switch (sent.kind) {
      case 'answered':
        return changeItem(run, index, { state: 'ordered', jobId: sent.jobId });
      case 'unknown': {
        const ordered = changeItem(run, index, { state: 'ordered', jobId: sent.jobId });
        return halted(ordered, { reason: 'trouble', ...(sent.trouble && { trouble: sent.trouble }) });
      }
      case 'refused':
        return this.afterRefusal(changeItem(run, index, { state: 'ordered', jobId: sent.jobId }), sent.trouble);
      case 'rejected':
        return this.afterRefusal(changeItem(run, index, { state: 'rejected', trouble: sent.trouble }), sent.trouble);
      case 'held':
        return halted(changeItem(run, index, { state: 'notSent', trouble: sent.trouble }), {
          reason: 'trouble',
          trouble: sent.trouble,
        });
      case 'limited':
        return this.afterLimit(run, index, sent);
    }
  }

  /** What is wrong with one may not be wrong with the next; with two it likely is. */
  private afterRefusal(run: ImageRun, trouble: RunProblem): ImageRun {
    const count = (this.refusals.get(run.id) ?? 0) + 1;
    this.refusals.set(run.id, count);
    return count >= mostRefusals ? halted(run, { reason: 'trouble', trouble }) : run;
  }

  private afterLimit(run: ImageRun, index: number, sent: Extract<Sent, { kind: 'limited' }>): ImageRun {
    const { trouble, limit, waitMs } = sent;
    // Stopped meanwhile, or of another day: until a person goes on.
    if (waitMs === undefined || run.halt) {
      const held = changeItem(run, index, { state: 'notSent', trouble });
      return run.halt ? held : halted(held, { reason: 'trouble', trouble });
    }
    this.limits.set(keyOf(run), { reason: 'limit', until: this.options.now() + waitMs, limit, trouble });
    return changeItem(run, index, { state: 'waiting' });
  }

  private put(run: ImageRun, isSaved = true): ImageRun {
    this.runs.set(run.id, run);
    // What is kept later than it happened is seen again by what the jobs say.
    if (isSaved) this.options.save(run).catch(() => undefined);
    this.options.onChange(run);
    return run;
  }

  private note(profileId: string, order: Ordered): void {
    const recent = (this.ordered.get(profileId) ?? []).filter(({ at }) => at > order.at - 60_000);
    this.ordered.set(profileId, [...recent, order]);
  }

  private unnote(profileId: string, order: Ordered): void {
    this.ordered.set(
      profileId,
      (this.ordered.get(profileId) ?? []).filter((one) => one !== order),
    );
  }

  /** Pictures of each order that is to be given before others; what a limit of the service holds up is before nothing. */
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
    const orders = [...this.waitingOf(run.profileId, before), imagesOf(run.items[index]!.request)];
    return lastOrderDelay(this.orderedBy(run.profileId), orders, { perMinute: perMinute(), now: now() });
  }
}

function nextOf({ items }: ImageRun): number {
  return items.findIndex(({ state }) => state === 'waiting');
}

/** Limits hold for an account and a model. */
function keyOf({ profileId, items }: ImageRun): string {
  return `${profileId} ${items[0]?.request.model ?? ''}`;
}
