import { setTimeout as delay } from 'node:timers/promises';
import path from 'node:path';
import { errorKinds } from '../../api/errorKinds';
import type { ApiErrorKind } from '../../api/errorKinds';
import { isApiError, isOfPlan } from '../../api/errors';
import { isBudgetRefusal } from '../../usage/dayTokens';
import { openAppendLog } from '../../storage/appendLog';
import type { AppendLog } from '../../storage/appendLog';
import { reachOf } from '../../storage/privateFiles';
import { addUsage, noUsage } from '../../usage/usage';
import type { Usage } from '../../usage/usage';
import { toUsage } from '../../usage/usageOf';
import type { CallUsage } from '../../usage/usageOf';
import { createCompletionMerge } from './completionMerge';
import { openLineSource } from './lineSource';
import type { LineSource, SourceLine, LocalRequest } from './lineSource';
import type { LocalRun, LocalRunOptions, RunEnd, RunState, RunWait } from './localRun';
import { Pacing, createTokenRate } from './pacing';
import { findResults, isIncomplete, localFiles } from './resultFiles';
import type { FoundResults } from './resultFiles';
import { answerLine, failureLine } from './resultLine';
import type { ApiError } from '../../api/errors';
import type { Failed } from './resultLine';

/** The time between attempts to write what could not be written. */
const writeAgainMs = 2000;

/**
 * Starts or continues a run. Every line of the batch file gets one result: lines with a result on disk are not sent again, and a
 * request is only sent again if the service certainly did not start it. Throws if the files cannot be opened.
 */
export async function startRun(options: LocalRunOptions): Promise<LocalRun> {
  const found = await findResults(options.folder, { repair: true });
  const reach = await reachOf(options.folder);
  const logs: AppendLog[] = [];
  try {
    for (const name of [localFiles.output, localFiles.errors, localFiles.sent])
      logs.push(await openAppendLog(path.join(options.folder, name), reach));
  } catch (error) {
    for (const log of logs) await log.close();
    throw error;
  }
  const [output, errors, sent] = logs as [AppendLog, AppendLog, AppendLog];
  const source = openLineSource(options, found.done);
  return new Running(options, source, { output, errors, sent }, found);
}

interface Files {
  readonly output: AppendLog;
  readonly errors: AppendLog;
  readonly sent: AppendLog;
}

class Running implements LocalRun {
  readonly ended: Promise<RunEnd>;
  private readonly aborting = new AbortController();
  private readonly clock;
  private readonly pacing: Pacing;
  private readonly rate;
  /** Lines to send before any others. */
  private readonly again: SourceLine[] = [];
  private readonly working = new Set<Promise<void>>();
  private answered: number;
  private incomplete: number;
  private failed: number;
  private usage: Usage = noUsage;
  private phase: RunState['phase'] = 'running';
  private end: RunEnd | undefined;
  private diskError: unknown;
  private isStopRequested = false;
  private changed = deferred();

  constructor(
    private readonly options: LocalRunOptions,
    private readonly source: LineSource,
    private readonly files: Files,
    found: FoundResults,
  ) {
    this.clock = options.clock ?? Date.now;
    const { concurrency: most, random = Math.random } = options;
    this.pacing = new Pacing(most, this.clock, random);
    this.rate = createTokenRate(this.clock);
    this.answered = found.answered;
    this.incomplete = found.incomplete;
    this.failed = found.failed;
    this.ended = this.run();
  }

  get state(): RunState {
    const { answered, incomplete, failed, usage, phase, end, diskError } = this;
    return {
      phase,
      answered,
      incomplete,
      failed,
      usage,
      diskError,
      end,
      wait: this.pacing.wait,
      underWay: this.working.size,
      tokensPerMinute: this.rate.perMinute(),
      concurrency: this.pacing.allowed,
    };
  }

  pause(): void {
    if (this.phase === 'running') this.become('paused');
  }

  resume(): void {
    if (this.phase === 'paused') this.become('running');
  }

  stop(): void {
    if (this.end) this.aborting.abort();
    this.isStopRequested = true;
    this.endWith({ kind: 'stopped' });
  }

  private async run(): Promise<RunEnd> {
    try {
      await this.sendAll();
    } catch (error) {
      this.endWith({ kind: 'broken', error });
    }
    while (this.working.size > 0) await Promise.all(this.working);
    await this.source.close();
    for (const log of Object.values(this.files) as AppendLog[]) await log.close().catch(() => undefined);
    const end = this.end ?? { kind: 'finished' };
    this.end = end;
    this.become('ended');
    return end;
  }

  /** Sends lines until there are none left, or until the run must end. */
  private async sendAll(): Promise<void> {
    while (await this.isTurn()) {
      const line = this.again.shift() ?? (await this.source.next());
      if (!line) {
        if (this.working.size === 0 && this.again.length === 0) return;
        await this.changed.promise;
      } else if (this.end || this.phase === 'paused') {
        this.again.unshift(line);
      } else if (line.content.kind === 'faulty') {
        const { customId, code, message } = line.content;
        const identity = { run: this.options.run, line: line.number, customId };
        await this.keep('errors', failureLine(identity, { code, message }));
      } else {
        this.begin(line, line.content);
      }
    }
  }

  /** Resolves with `true` once a line may be sent, or with `false` if no more may be. */
  private async isTurn(): Promise<boolean> {
    for (;;) {
      if (this.end) return false;
      const waitMs = (this.pacing.wait?.until ?? 0) - this.clock();
      if (this.phase === 'paused' || this.diskError !== undefined) await this.changed.promise;
      else if (this.working.size >= this.pacing.allowed) await this.changed.promise;
      else if (waitMs > 0) await this.sleep(waitMs);
      else if (await this.isLetOn()) return true;
    }
  }

  private async isLetOn(): Promise<boolean> {
    try {
      await this.options.mayGoOn?.();
    } catch (error) {
      this.endWith({ kind: 'held', error });
    }
    return !this.end && this.phase === 'running' && this.diskError === undefined;
  }

  private begin(line: SourceLine, request: LocalRequest): void {
    const work = this.answer(line, request)
      .catch((error: unknown) => this.endWith({ kind: 'broken', error }))
      .finally(() => {
        this.working.delete(work);
        this.tell();
      });
    this.working.add(work);
    this.tell();
  }

  private async answer(line: SourceLine, { customId, model, body }: LocalRequest): Promise<void> {
    const identity = { run: this.options.run, line: line.number, customId };
    const startedAt = this.clock();
    const merge = createCompletionMerge();
    let requestId = '';
    let outcome: Outcome | undefined;
    await this.write(() => this.files.sent.append(`${line.number}\n`, { isDurable: false }));
    try {
      const events = {
        signal: this.aborting.signal,
        onWait: (wait: RunWait) => {
          this.pacing.waiting(wait);
          this.tell();
        },
        onAnswer: (id: string) => void (requestId = id),
        onUsage: (usage: CallUsage) => this.count(usage),
      };
      const chunks = await this.options.call({ model, body: { ...body, model } }, events);
      for await (const chunk of chunks) merge.add(chunk);
    } catch (error) {
      if (isBudgetRefusal(error)) {
        this.again.push(line);
        await this.write(() => this.files.sent.append(`-${line.number}\n`, { isDurable: false }));
        this.endWith({ kind: 'held', error });
        return;
      }
      // Everything arrived except for the end marker.
      const isWhole = merge.isWhole(requestedAnswers(body));
      // An error that is not the call's would affect every other line too.
      if (!isWhole && !isApiError(error)) throw error;
      outcome = isWhole || !isApiError(error) ? undefined : outcomeOf(error);
    }
    if (!outcome) {
      this.pacing.answered();
      const answer = merge.read();
      await this.keep('output', answerLine(identity, { requestId, body: answer }));
      if (isIncomplete({ response: { body: answer } })) this.incomplete++;
      this.tell();
    } else if (outcome.kind === 'failed') {
      const partial = merge.hasBegun ? { partial: merge.read() } : {};
      if (outcome.error && !this.pacing.failed(outcome.failed.code))
        this.endWith({ kind: 'failing', error: outcome.error });
      await this.keep('errors', failureLine(identity, { ...outcome.failed, ...partial }));
    } else {
      this.again.push(line);
      if (outcome.kind !== 'aborted')
        await this.write(() => this.files.sent.append(`-${line.number}\n`, { isDurable: false }));
      if (outcome.kind === 'later') {
        const { error, waitMs } = outcome;
        if (!this.pacing.notLetIn(error, { waitMs, startedAt })) this.endWith({ kind: 'unreachable', error });
      } else if (outcome.kind === 'stop') this.endWith({ kind: outcome.reason, error: outcome.error });
    }
  }

  private count(usage: CallUsage): void {
    this.usage = addUsage(this.usage, toUsage(usage));
    this.rate.add(usage.inputTokens + usage.outputTokens);
  }

  private async keep(file: 'output' | 'errors', text: string): Promise<void> {
    await this.write(() => this.files[file].append(`${text}\n`));
    if (file === 'output') this.answered++;
    else this.failed++;
    this.tell();
  }

  /** Repeats a write until it succeeds, because the content may be paid for. Throws if it fails and the user stops the run. */
  private async write(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await work();
        this.setDiskError(undefined);
        return;
      } catch (error) {
        this.setDiskError(error);
        if (this.isStopRequested) throw error;
        await this.sleep(writeAgainMs);
      }
    }
  }

  /** Notifies only if this changes, which wakes whatever waits for the disk. */
  private setDiskError(error: unknown): void {
    const isNews = (error === undefined) !== (this.diskError === undefined);
    this.diskError = error;
    if (isNews) this.tell();
  }

  /** Ends early if something changes. */
  private async sleep(ms: number): Promise<void> {
    const waking = new AbortController();
    const sleep = this.options.sleep ?? ((time, signal) => delay(time, undefined, { signal }));
    await Promise.race([this.changed.promise, sleep(ms, waking.signal).catch(() => undefined)]);
    waking.abort();
  }

  private endWith(end: RunEnd): void {
    this.end ??= end;
    if (this.phase !== 'ended') this.become('stopping');
  }

  private become(phase: RunState['phase']): void {
    this.phase = phase;
    this.tell();
  }

  private tell(): void {
    const { changed } = this;
    this.changed = deferred();
    changed.resolve();
    this.options.onChange?.();
  }
}

function requestedAnswers({ n }: Readonly<Record<string, unknown>>): number {
  return typeof n === 'number' && n > 1 ? n : 1;
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** The outcome of a failed line. */
type Outcome =
  /** It is written to the errors. */
  | {
      readonly kind: 'failed';
      readonly failed: Failed;
      /** Set if the cause is not the request: others may fail in the same way. */
      readonly error?: ApiError;
    }
  /** The service certainly did not start it: it is sent again, after at least `waitMs` if that is known. */
  | { readonly kind: 'later'; readonly error: ApiError; readonly waitMs?: number | undefined }
  /** No more requests can be sent, for hours or until the user fixes something. The line was not started. */
  | { readonly kind: 'stop'; readonly reason: 'dailyLimit' | 'refused'; readonly error: ApiError }
  /** It was aborted on this side. */
  | { readonly kind: 'aborted' };

/** A longer wait ends the run instead. */
const longestWaitMs = 3 * 60 * 60 * 1000;
/** The wait if an hourly limit does not say when it ends. */
const hourlyWaitMs = 5 * 60 * 1000;

/** Codes of failures after which a request may have been processed, and billed. */
const unknownOutcome: Readonly<Partial<Record<ApiErrorKind, string>>> = {
  server: 'server_error',
  network: 'connection_lost_outcome_unknown',
  truncated: 'connection_lost_outcome_unknown',
  timeout: 'timeout_outcome_unknown',
};

/** `error` is what the call threw. */
function outcomeOf(error: ApiError): Outcome {
  const { kind, details } = error;
  if (kind === 'aborted') return { kind: 'aborted' };
  // Sent, and perhaps processed and billed: never sent again unless the user asks for it.
  if (details.hint === 'tooMuch') return failed(error, { code: 'answer_too_long' });
  if (details.maybeBilled) return failed(error, { code: unknownOutcome[kind] ?? 'outcome_unknown' });
  if (kind === 'rateLimit') return limited(error);
  switch (errorKinds[kind].batchRun) {
    case 'waits':
      return { kind: 'later', error, waitMs: details.retryAfterMs };
    case 'ends':
      return { kind: 'stop', reason: 'refused', error };
    case 'fails':
      return failed(error, { code: String(details.code ?? kind) });
  }
}

function limited(error: ApiError): Outcome {
  const { limit = '', retryAfterMs } = error.details;
  if (isOfPlan(limit)) return { kind: 'stop', reason: 'refused', error };
  const waitMs = retryAfterMs || (limit.endsWith('H') ? hourlyWaitMs : undefined);
  if (limit.endsWith('D') || (waitMs ?? 0) > longestWaitMs) return { kind: 'stop', reason: 'dailyLimit', error };
  return { kind: 'later', error, waitMs };
}

function failed(error: ApiError, { code }: { readonly code: string }): Outcome {
  const { status, requestId, traceId, maybeBilled } = error.details;
  const refusal = status !== undefined && status >= 400 ? { status, requestId: requestId ?? traceId } : {};
  const isOfAll = maybeBilled || error.kind === 'permission';
  return { kind: 'failed', failed: { code, message: error.message, ...refusal }, ...(isOfAll && { error }) };
}
