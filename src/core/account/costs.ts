import { isDeepStrictEqual } from 'node:util';
import type { AccountInfo } from '../api/account/account.schema';
import { mayBeBilled } from '../api/errors';
import type { Job } from '../jobs/job';
import { isDecimal, subtractDecimals } from './decimal';
import type { PaidCalls } from './paidCalls';

export type CostKind = 'image' | 'video' | 'speech' | 'transcription' | 'batch';

/** What a cost is for. */
interface CostSubject {
  readonly kind: CostKind;
  readonly model: string;
  /** How many images, clips, recordings, or batch requests the fall covers. */
  readonly count: number;
}

/** The fall of the balance over the items generated of one kind with one model, while nothing else was paid for. */
export interface LearnedCost extends CostSubject {
  /** Exact decimal text, above 0. */
  readonly fell: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The charged items: job IDs or file paths. */
  readonly of: readonly string[];
}

/** A cost and the profile that paid it. */
export interface ProfileCost extends LearnedCost {
  readonly profileId: string;
}

/**
 * A cost that couldn't be measured. `unsettled`: an earlier or simultaneous request may have been charged, which the balance doesn't show
 * yet. `shared`: something else was charged at the same time. `pending`: the measurement is in progress.
 */
export interface UnmeasuredCost {
  readonly unmeasured: 'unsettled' | 'shared' | 'pending';
}

/** The outcome of a paid request. `nothing`: it is certainly free. `unsure`: it might cost something. */
export type PaidEnd = 'nothing' | 'unsure' | (CostSubject & { readonly of: string });

/** The account as the service reported it at some moment between `askedAt` and `readAt` (Unix milliseconds). */
export interface BalanceReading {
  readonly info: AccountInfo;
  readonly requestedAt: number;
  readonly readAt: number;
}

export interface CostLearnerOptions {
  /** The stored costs of a profile. */
  readonly file: (profileId: string) => {
    read(): Promise<readonly LearnedCost[] | undefined>;
    write(costs: readonly LearnedCost[]): Promise<void>;
  };
  /** Returns the last reading of a profile's balance, if there is one. */
  readonly known: (profileId: string) => BalanceReading | undefined;
  /** Reads the balance from the service, where the service offers that. Never rejects. */
  readonly read: (profileId: string) => Promise<BalanceReading | undefined>;
  readonly calls: (profileId: string) => PaidCalls;
  /** Resolves to a mark that changes once other windows or programs have noted something that is paid for. Never rejects. */
  readonly usedElsewhere: (profileId: string) => Promise<string>;
  /** The jobs of all windows, as they were when they were last loaded. */
  readonly jobs: () => readonly Job[];
  /** Loads the jobs that other windows have added or changed. Never rejects. */
  readonly loadJobs: () => Promise<unknown>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly setTimer: (ms: number, run: () => void) => () => void;
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** A reading at most this old serves as the balance before the work, if nothing was paid for since. */
const recentMs = 60_000;
/** The work is delayed at most this long to read the balance first. */
const longestWaitMs = 1500;
/** An unmeasured charge is assumed to be on the balance this long after it ended. */
const quietMs = 10_000;
/** Delays after the end at which the balance is read until it has fallen: services bill a moment later. */
const readAfterMs = [3000, 8000, 25_000] as const;
/** A reading requested up to this much early is good enough: the account is read after paid work anyway. */
const slackMs = 500;
/** Pause between two readings of the balance which, if equal, show that a charge in doubt is settled. */
const settleMs = 8000;
/** Readings until a balance that keeps changing isn't watched any longer. */
const mostSettleReadings = 6;
/** A charge in doubt is assumed to be settled after this long, even if the balance kept changing or couldn't be read. */
const doubtMs = 2 * 60_000;
/** Limit per profile. */
const maxSaved = 300;
/** Kinds where every item of one model costs the same. */
const alike: readonly CostKind[] = ['image', 'video'];

/** The paid work of one profile between two balance readings, from the first request to the last. */
interface Span {
  readonly profileId: string;
  readonly callsBefore: number;
  readonly startedAt: number;
  readonly before: Promise<BalanceReading | undefined>;
  /** At the start of the span. */
  readonly usedElsewhere: Promise<string>;
  readonly made: Exclude<PaidEnd, string>[];
  running: number;
  /** Whether one of its requests may have been charged without a result. */
  isMixed: boolean;
  /** Whether an earlier charge wasn't on the balance yet when it started. */
  readonly isUnsettled: boolean;
  endedAt: number;
  /** According to the last balance after the end. */
  fall?: string | undefined;
  stopTimer?: () => void;
}

/**
 * Learns the cost of paid requests from the balance. Assigns no cost if something else was charged at the same time, or if the balance
 * couldn't be read or rose. Never fails the work, and delays it by at most `longestWaitMs`.
 */
export class CostLearner {
  private readonly spans = new Map<string, Span>();
  private readonly costs = new Map<string, readonly LearnedCost[]>();
  private readonly byThing = new Map<string, ProfileCost>();
  private readonly unmeasured = new Map<string, UnmeasuredCost & { readonly profileId: string }>();
  /** Jobs that ended in a span. */
  private readonly measured = new Set<string>();
  /** By profile: when the last charge not yet seen on the balance ended. */
  private readonly unseenAt = new Map<string, number>();
  /** By profile: when a request last ended that may have been charged without a result. */
  private readonly doubtAt = new Map<string, number>();
  /** By profile: all doubts up to then are settled. */
  private readonly settledAt = new Map<string, number>();
  /** By profile: stops reading the balance until it is stable. */
  private readonly settling = new Map<string, () => void>();

  constructor(private readonly options: CostLearnerOptions) {}

  /** Resolves to the result of `work` as soon as it is done; `ended` reports its outcome, possibly much later. */
  async around<T>(
    profileId: string,
    work: () => Promise<T>,
    ended: (result: T) => PaidEnd | Promise<PaidEnd>,
  ): Promise<T> {
    const span = this.spans.get(profileId) ?? this.open(profileId);
    span.running++;
    span.stopTimer?.();
    await span.before;
    try {
      const result = await work();
      Promise.resolve(result)
        .then(ended)
        .catch((): PaidEnd => 'unsure')
        .then((end) => this.end(span, end))
        .catch(this.options.onError);
      return result;
    } catch (error) {
      this.end(span, mayBeBilled(error) ? 'unsure' : 'nothing');
      throw error;
    }
  }

  /** Returns the latest cost of one kind for each model. */
  last(profileId: string, kind: CostKind): readonly LearnedCost[] {
    const ofKind = (this.costs.get(profileId) ?? []).filter((cost) => cost.kind === kind);
    return [...new Map(ofKind.map((cost) => [cost.model, cost])).values()];
  }

  /** Returns all costs of a profile that are stored, oldest first. */
  all(profileId: string): readonly LearnedCost[] {
    return this.costs.get(profileId) ?? [];
  }

  /** Returns the cost of a result, or why it isn't measured; `undefined` if it is unknown. */
  of(thing: string): ProfileCost | UnmeasuredCost | undefined {
    const unmeasured = this.unmeasured.get(thing) ?? this.pendingIn(thing);
    // A service that doesn't report its balance never says what anything costs.
    const isReported = unmeasured !== undefined && this.options.known(unmeasured.profileId) !== undefined;
    return this.byThing.get(thing) ?? (isReported ? unmeasured : undefined);
  }

  private pendingIn(thing: string): (UnmeasuredCost & { readonly profileId: string }) | undefined {
    const span = [...this.spans.values()].find(({ made }) => made.some(({ of }) => of === thing));
    return span && { unmeasured: 'pending', profileId: span.profileId };
  }

  /** Loads the stored costs of a profile, including those other windows wrote. Never rejects. */
  async load(profileId: string): Promise<void> {
    const { file, onError } = this.options;
    const read = file(profileId).read();
    read.catch(onError);
    const stored = (await read.catch(() => undefined)) ?? [];
    const own = this.costs.get(profileId) ?? [];
    this.keep(profileId, [...stored, ...own.filter(({ at }) => !stored.some((one) => one.at === at))]);
  }

  /** Discards all running measurements, because the accounts or their keys changed. */
  startAnew(): void {
    for (const span of this.spans.values()) this.close(span);
    for (const stop of this.settling.values()) stop();
    this.settling.clear();
  }

  private open(profileId: string): Span {
    const { calls, known, now } = this.options;
    const { begun, open, endedAt } = calls(profileId);
    const quietAt = Math.max(endedAt, this.unseenAt.get(profileId) ?? 0) + quietMs;
    const reading = known(profileId);
    const isInDoubt = this.isInDoubt(profileId);
    if (isInDoubt) this.settle(profileId);
    const isQuiet = open === 0 && now() >= quietAt && !isInDoubt;
    const isRecent = reading && reading.requestedAt >= quietAt && now() - reading.readAt <= recentMs;
    const span: Span = {
      profileId,
      callsBefore: begun,
      startedAt: now(),
      before: isQuiet && !isRecent ? this.readSoon(profileId, quietAt) : Promise.resolve(isQuiet ? reading : undefined),
      usedElsewhere: this.options.usedElsewhere(profileId),
      made: [],
      running: 0,
      isMixed: false,
      isUnsettled: !isQuiet,
      endedAt: 0,
    };
    this.spans.set(profileId, span);
    return span;
  }

  private readSoon(profileId: string, quietAt: number): Promise<BalanceReading | undefined> {
    return new Promise((resolve) => {
      const stop = this.options.setTimer(longestWaitMs, () => resolve(undefined));
      void this.options.read(profileId).then((reading) => {
        stop();
        resolve(reading && reading.requestedAt >= quietAt ? reading : undefined);
      });
    });
  }

  private end(span: Span, end: PaidEnd): void {
    span.running--;
    if (this.spans.get(span.profileId) !== span) return;
    if (end === 'unsure') span.isMixed = true;
    else if (end !== 'nothing') {
      span.made.push(end);
      this.measured.add(end.of);
    }
    if (span.running > 0) return;
    span.endedAt = this.options.now();
    void this.follow(span).catch(this.options.onError);
  }

  private async follow(span: Span): Promise<void> {
    const before = await span.before;
    if (!this.isAtRest(span)) return;
    const [first, ...others] = span.made;
    const isOne = others.every(({ kind, model }) => kind === first?.kind && model === first.model);
    const canShare = first !== undefined && (others.length === 0 || alike.includes(first.kind));
    span.fall = undefined;
    if (before && !span.isMixed && isOne && canShare) this.lookIn(span, before, 0);
    else if (span.isMixed || span.isUnsettled) this.close(span, 'unsettled');
    else this.close(span, before && 'shared');
  }

  private lookIn(span: Span, before: BalanceReading, step: number): void {
    const after = readAfterMs[step];
    if (after === undefined) return this.close(span);
    const look = () => void this.look(span, before, step).catch(this.options.onError);
    span.stopTimer = this.options.setTimer(Math.max(0, span.endedAt + after - this.options.now()), look);
  }

  private async look(span: Span, before: BalanceReading, step: number): Promise<void> {
    const due = span.endedAt + (readAfterMs[step] ?? 0) - slackMs;
    const isLate = (reading?: BalanceReading) => reading !== undefined && reading.requestedAt >= due;
    if (this.isDisturbed(span, before))
      return this.close(span, this.isInDoubt(span.profileId) ? 'unsettled' : 'shared');
    const known = this.options.known(span.profileId);
    const reading = isLate(known) ? known : await this.options.read(span.profileId);
    // The record of a job is older than its charge, so all that the reading includes is on disk by now.
    await this.options.loadJobs();
    if (!this.isAtRest(span)) return;
    if (this.isDisturbed(span, before))
      return this.close(span, this.isInDoubt(span.profileId) ? 'unsettled' : 'shared');
    const fall = isLate(reading) && reading ? fallOf(before.info, reading.info) : undefined;
    if (fall === 'rose') return this.close(span);
    const isBilledAtOnce = span.made.length === 1 && span.made[0]?.kind !== 'batch';
    if (fall !== undefined && fall !== '0' && (isBilledAtOnce || fall === span.fall)) {
      const isShared = (await span.usedElsewhere) !== (await this.options.usedElsewhere(span.profileId));
      if (!this.isAtRest(span)) return;
      return isShared ? this.close(span, 'shared') : this.learn(span, fall);
    }
    span.fall = fall;
    this.lookIn(span, before, step + 1);
  }

  private isAtRest(span: Span): boolean {
    return this.spans.get(span.profileId) === span && span.running === 0;
  }

  /** Whether something else was, or may have been, paid for since `before` was read. */
  private isDisturbed({ profileId, callsBefore, startedAt }: Span, before: BalanceReading): boolean {
    const { calls, jobs } = this.options;
    const { begun, open } = calls(profileId);
    if (open > 0 || begun !== callsBefore) return true;
    const since = Math.min(before.requestedAt, startedAt) - quietMs;
    return jobs().some((job) => {
      if (job.profileId !== profileId || this.measured.has(job.id)) return false;
      const { stage, createdAt, changedAt = createdAt, triedAt = createdAt } = job;
      if (stage === 'preparing' || stage === 'refused') return false;
      if (stage === 'running' || stage === 'submitting') return true;
      return Math.max(createdAt, changedAt) >= since || (stage === 'unknown' && !this.isSettled(profileId, triedAt));
    });
  }

  /** Whether a request may have been charged, here or in another window, which the balance might not show yet. */
  private isInDoubt(profileId: string): boolean {
    const doubt = this.doubtAt.get(profileId);
    const lost = this.options.jobs().filter((job) => job.profileId === profileId && job.stage === 'unknown');
    const doubts = [
      ...(doubt === undefined ? [] : [doubt]),
      ...lost.map(({ createdAt, triedAt = createdAt }) => triedAt),
    ];
    return doubts.some((at) => !this.isSettled(profileId, at));
  }

  private isSettled(profileId: string, doubtAt: number): boolean {
    return doubtAt <= (this.settledAt.get(profileId) ?? 0) || this.options.now() - doubtAt >= doubtMs;
  }

  /** Reads the balance until two readings with no paid work in between are equal; then all doubts before them are settled. */
  private settle(profileId: string): void {
    if (this.settling.has(profileId)) return;
    const next = (left: number, before?: BalanceReading) => {
      const look = async () => {
        const reading = await this.options.read(profileId);
        if (!this.settling.has(profileId)) return;
        const isAtRest = !this.spans.has(profileId);
        const isStable = before !== undefined && reading !== undefined && fallOf(before.info, reading.info) === '0';
        if (isAtRest && isStable) this.settledAt.set(profileId, before.requestedAt);
        if ((isAtRest && isStable) || !reading || left === 1) this.settling.delete(profileId);
        else next(left - 1, isAtRest ? reading : undefined);
      };
      const run = () => void look().catch(this.options.onError);
      this.settling.set(profileId, this.options.setTimer(settleMs, run));
    };
    next(mostSettleReadings);
  }

  private close(span: Span, unmeasured?: UnmeasuredCost['unmeasured']): void {
    const { profileId, stopTimer } = span;
    stopTimer?.();
    if (this.spans.get(profileId) === span) this.spans.delete(profileId);
    const isFree = span.running === 0 && span.made.length === 0 && !span.isMixed;
    if (isFree) return;
    const endedAt = span.running > 0 ? this.options.now() : span.endedAt;
    this.unseenAt.set(profileId, endedAt);
    if (span.isMixed) {
      this.doubtAt.set(profileId, endedAt);
      this.settle(profileId);
    }
    if (unmeasured === undefined || span.made.length === 0) return;
    for (const { of } of span.made) this.unmeasured.set(of, { unmeasured, profileId });
    this.options.onChange();
  }

  private learn({ profileId, made, stopTimer }: Span, fell: string): void {
    this.spans.delete(profileId);
    stopTimer?.();
    const { kind, model } = made[0]!;
    const count = made.reduce((sum, one) => sum + one.count, 0);
    const cost: LearnedCost = { kind, model, fell, count, at: this.options.now(), of: made.map(({ of }) => of) };
    this.keep(profileId, [...(this.costs.get(profileId) ?? []), cost]);
    // Other windows write the file too.
    void this.load(profileId)
      .then(() => this.options.file(profileId).write(this.costs.get(profileId) ?? []))
      .catch(this.options.onError);
  }

  private keep(profileId: string, costs: readonly LearnedCost[]): void {
    const stored = costs.slice(-maxSaved);
    const before = this.costs.get(profileId) ?? [];
    this.costs.set(profileId, stored);
    // The listener reads the costs, which loads them again.
    if (isDeepStrictEqual(stored, before)) return;
    for (const cost of stored) for (const thing of cost.of) this.byThing.set(thing, { ...cost, profileId });
    this.options.onChange();
  }
}

/** Exact decimal text; `0` if unchanged, `undefined` if not reported, `rose` if any part rose because money was paid in. */
function fallOf(before: AccountInfo, after: AccountInfo): string | undefined {
  // Longer text is not an amount of money.
  const amount = (text = '') => (text.length > 24 ? '' : text);
  const falls = (['totalBalance', 'chargeBalance', 'balance'] as const).map((name) =>
    subtractDecimals(amount(before[name]), amount(after[name])),
  );
  return falls.some((fall) => fall?.startsWith('-')) ? 'rose' : falls[0];
}

/** Reads the stored costs of a file and drops invalid entries. */
export function readCosts(raw: unknown): readonly LearnedCost[] | undefined {
  return Array.isArray(raw) ? raw.filter(isCost) : undefined;
}

function isCost(raw: unknown): raw is LearnedCost {
  const { kind, model, fell, count, at, of } = (raw ?? {}) as { readonly [Name in keyof LearnedCost]?: unknown };
  const texts = [kind, model, fell, ...(Array.isArray(of) ? of : [undefined])];
  const isPositive = typeof fell === 'string' && isDecimal(fell) && Number(fell) > 0;
  return texts.every((text) => typeof text === 'string') && isPositive && Number(count) > 0 && Number.isFinite(at);
}
