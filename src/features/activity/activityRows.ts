import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { beginningOf, oneLine } from '../../core/assets/altText';
import { endedAt, rowName } from '../../core/batch/state/batchState';
import { isOver } from '../../core/jobs/batch/batchState';
import { cancelEffect } from '../../core/jobs/batch/parts';
import { mediaJobOptions } from '../../core/jobs/media/mediaJob';
import { jobOutcome } from '../../core/jobs/jobOutcome';
import { expectedMedia, type NotedCharges } from '../../core/prices/paidWork';
import { foreign } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import type { ActivityRow, RowCost } from '../../protocol/activity';
import { dateFormat, durationText, listText, moneyText } from '../../protocol/formats';
import { sentence, sentences } from '../../protocol/sentences';
import { jobErrorText, progressText, statusText } from '../../services/batches/batchMessages';
import { mediaErrorText } from '../../services/media/mediaMessages';
import type { BatchJob } from '../../services/batches/batches';
import type { MediaJob } from '../../services/media/media';
import { costText, eachOf } from '../../services/usage/costMessages';
import type { Costs } from '../../services/usage/costs';
import type { Charge, ExpectedRequests, PriceBook } from '../../services/usage/prices';

export const longestName = 80;

interface PriceSources {
  readonly costs: Costs;
  readonly prices: PriceBook;
  /** The recorded charges of jobs, by ID. */
  readonly noted: ReadonlyMap<string, NotedCharges>;
}

/** A row, and when it began and ended. Unix milliseconds. */
export interface TimedRow {
  readonly row: ActivityRow;
  readonly at: number;
}

/** The jobs of all accounts and windows as rows; the images of one series are one row. */
export function jobRows(
  batches: readonly BatchJob[],
  media: readonly MediaJob[],
  sources: PriceSources,
  now: number,
): readonly TimedRow[] {
  const groups = new Map<string, MediaJob[]>();
  for (const job of media) {
    const key = job.group ?? job.id;
    const group = groups.get(key);
    if (group) group.push(job);
    else groups.set(key, [job]);
  }
  return [
    ...batches.map((job) => batchRow(job, sources, now)),
    ...[...groups.values()].map((jobs) => mediaRow(jobs, sources, now)),
  ];
}

function batchRow(job: BatchJob, { costs, prices, noted }: PriceSources, now: number): TimedRow {
  const { language } = vscode.env;
  const { batch, input } = job;
  const outcome = jobOutcome(job);
  const name = oneLine(foreign(rowName({ batch, job }) ?? '', 300)) || job.id;
  const total = batch?.requestCounts?.total ?? input?.requests;
  const done = (batch?.requestCounts?.completed ?? 0) + (batch?.requestCounts?.failed ?? 0);
  const state = [
    l10n.t('Batch'),
    batch && job.stage !== 'refused' ? statusText(batch.status) : stageText(job),
    (batch && progressText(batch, language)) ?? (total === undefined ? undefined : requestsText(total)),
    job.client === 'mcp' ? l10n.t('MCP server') : undefined,
    job.lastError && outcome !== 'active' ? foreign(jobErrorText(job.lastError), 160) : undefined,
  ];
  const options = { profileId: job.profileId, isBatch: true };
  const at = (batch && endedAt(batch)) ?? job.changedAt ?? job.createdAt;
  return {
    at: outcome === 'active' ? job.createdAt : at,
    row: {
      id: `batch:${job.id}`,
      kind: 'batch',
      outcome,
      name: beginningOf(name, longestName),
      opens: true,
      state: state.filter((part) => part !== undefined && part !== '').join(' · '),
      ...(outcome === 'active' && total && batch && { progress: Math.min(1, done / total) }),
      time: outcome === 'active' ? leftWords(job.createdAt, now, total ? done / total : 0) : whenText(at, now),
      ...costOf(
        [{ cost: costs.of(job.id), results: 1, charge: prices.chargedFor(job, noted.get(job.id)) }],
        prices.brief(expectedOf(job, total), options),
        outcome === 'active' ? 'active' : (batch?.requestCounts?.completed ?? 0) > 0 ? 'paid' : 'free',
      ),
      actions: batchActions(job, outcome),
    },
  };
}

function batchActions(job: BatchJob, outcome: ActivityRow['outcome']): ActivityRow['actions'] {
  const { batch, stage } = job;
  const effect = cancelEffect({ ...(batch && { batch }), job }, job.baseUrl);
  if (outcome === 'active')
    return [
      ...(batch ? [{ action: 'checkNow' as const, label: l10n.t('Refresh Status') }] : []),
      ...(effect === 'batch' ? [{ action: 'cancel' as const, label: l10n.t('Cancel Batch…') }] : []),
      ...(effect === 'laterParts' ? [{ action: 'stopParts' as const, label: l10n.t('Stop Submitting Parts…') }] : []),
    ];
  const isFetched = job.fetched?.output !== undefined || job.fetched?.errors !== undefined;
  const canFetch = batch !== undefined && !isFetched && (batch.outputFileId || batch.errorFileId);
  const { total = 0, completed = 0 } = batch?.requestCounts ?? {};
  const goesOn = stage !== 'ended' && stage !== 'refused';
  return [
    ...(goesOn && !canFetch ? [{ action: 'checkNow' as const, label: l10n.t('Refresh Status') }] : []),
    ...(stage === 'refused' || stage === 'unknown'
      ? [{ action: 'retry' as const, label: l10n.t('Resubmit Batch…') }]
      : []),
    // Its batch may be in progress, and the rest of it may follow.
    ...(stage === 'unknown' && effect === 'batch'
      ? [{ action: 'cancel' as const, label: l10n.t('Cancel Batch…') }]
      : []),
    ...(canFetch ? [{ action: 'fetchAgain' as const, label: l10n.t('Download Results Again') }] : []),
    ...(isFetched && completed < total
      ? [{ action: 'retryFailed' as const, label: l10n.t('Retry Failed Requests…') }]
      : []),
    ...(batch && isOver(batch) ? [{ action: 'cleanUp' as const, label: l10n.t('Delete Files from Service…') }] : []),
    { action: 'forget', label: l10n.t('Remove from List…') },
  ];
}

/** Returns the outcome of a series; `lost` of its images have failed or are uncertain. */
function togetherOf(outcomes: readonly ActivityRow['outcome'][], lost: number): ActivityRow['outcome'] {
  if (outcomes.includes('active')) return 'active';
  if (lost === 0) return 'done';
  if (lost < outcomes.length) return 'partly';
  return outcomes.includes('uncertain') ? 'uncertain' : 'failed';
}

function mediaRow(jobs: readonly MediaJob[], services: PriceSources, now: number): TimedRow {
  const { language } = vscode.env;
  const job = jobs[0]!;
  const { kind, request } = job.task;
  const outcomes = jobs.map(jobOutcome);
  const isActive = outcomes.includes('active');
  const count = (outcome: ActivityRow['outcome']) => outcomes.filter((one) => one === outcome).length;
  const lost = count('failed') + count('uncertain');
  const outcome = togetherOf(outcomes, lost);
  const failed = jobs.find(({ lastError }) => lastError !== undefined);
  const number = (value: number) => numberText(value, language);
  const kindText =
    kind === 'video'
      ? l10n.t('Video')
      : jobs.length === 1
        ? l10n.t('Image')
        : l10n.t('{0} images', number(jobs.length));
  const counts =
    jobs.length === 1
      ? stageText(job)
      : listText(
          [
            count('done') > 0 && l10n.t('{0} done', number(count('done'))),
            lost > 0 && l10n.t('{0} failed', number(lost)),
          ],
          language,
        );
  const at = jobs.reduce((latest, { changedAt, createdAt }) => Math.max(latest, changedAt ?? createdAt), 0);
  const startedAt = jobs.reduce((first, { createdAt }) => Math.min(first, createdAt), Infinity);
  const done = (jobs.length - count('active')) / jobs.length;
  return {
    at: isActive ? startedAt : at,
    row: {
      id: `media:${job.id}`,
      kind,
      outcome,
      name: beginningOf(oneLine(foreign(request.prompt, 300)) || kindText, longestName),
      opens: true,
      state: [
        kindText,
        foreign(request.model, 80),
        counts,
        job.client === 'mcp' ? l10n.t('MCP server') : '',
        failed?.lastError && !isActive ? foreign(mediaErrorText(failed.lastError, failed), 160) : '',
      ]
        .filter((part) => part !== '')
        .join(' · '),
      ...(isActive && jobs.length > 1 && { progress: done }),
      time: isActive ? leftWords(startedAt, now, jobs.length > 1 ? done : 0) : whenText(at, now),
      ...mediaCost(jobs, isActive, services),
      actions: mediaActions(jobs, isActive, services),
    },
  };
}

/** For a series, an action is offered if it applies to any of its images; while some are in progress, only checking. */
function mediaActions(jobs: readonly MediaJob[], isActive: boolean, { prices }: PriceSources): ActivityRow['actions'] {
  if (isActive)
    return jobs.some(({ stage }) => stage === 'running')
      ? [{ action: 'checkNow', label: l10n.t('Refresh Status') }]
      : [];
  const options = jobs.map(mediaJobOptions);
  const number = (count: number) => numberText(count, vscode.env.language);
  const retried = jobs.filter((_, at) => options[at]?.isRetryable);
  const lost = retried.length;
  const charges = retried.map(({ task }) => expectedMedia(task));
  return [
    ...(lost > 0
      ? [
          {
            action: 'retry' as const,
            label:
              lost === 1
                ? prices.label(l10n.t('Retry'), charges, { profileId: jobs[0]!.profileId })
                : l10n.t('Retry {0} Failed…', number(lost)),
          },
        ]
      : []),
    ...(options.some(({ isFetchable }) => isFetchable)
      ? [{ action: 'fetchAgain' as const, label: l10n.t('Download Again') }]
      : []),
    ...(options.every(({ isForgettable }) => isForgettable)
      ? [{ action: 'forget' as const, label: l10n.t('Remove from List…') }]
      : []),
  ];
}

/** Returns the jobs that are one row. */
export function jobsOfRow(jobs: readonly MediaJob[], id: string): readonly MediaJob[] {
  const job = jobs.find((one) => one.id === id);
  return job?.group === undefined ? (job ? [job] : []) : jobs.filter(({ group }) => group === job.group);
}

function stageText({ stage, lastError }: BatchJob | MediaJob): string {
  switch (stage) {
    case 'preparing':
      return l10n.t('preparing');
    case 'submitting':
      return l10n.t('submitting');
    case 'queued':
      return l10n.t('waiting to be submitted');
    case 'unknown':
      return l10n.t('outcome unknown');
    case 'refused':
      return l10n.t('rejected');
    case 'running':
      return l10n.t('in progress');
    case 'fetching':
      return lastError ? l10n.t('not downloaded') : l10n.t('downloading');
    case 'ended':
      return lastError ? l10n.t('failed') : '';
  }
}

/** Estimates the time left from the progress so far; empty if there is too little of it. */
export function leftWords(startedAt: number, now: number, done: number): string {
  const elapsed = Math.max(0, now - startedAt);
  const { language } = vscode.env;
  if (done >= 1 || done < 0.05) return durationText(elapsed, language);
  const left = (elapsed * (1 - done)) / done;
  // Seconds would pretend to be accurate.
  const step = left < 60_000 ? 1 : 60_000;
  return l10n.t('about {0} left', durationText(Math.round(left / step) * step, language));
}

/** Formats the time of a day, with its date unless it is today; briefly, because the column is narrow. */
export function whenText(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const date = isToday ? {} : ({ month: 'short', day: 'numeric' } as const);
  return dateFormat(vscode.env.language, { ...date, hour: 'numeric', minute: '2-digit' }).format(at);
}

/** A job's cost, and how many results it has. */
interface JobCost {
  readonly cost: ReturnType<Costs['of']>;
  readonly results: number;
  /** By its prices, in case its cost wasn't measured. */
  readonly charge: Charge | undefined;
}

/** Returns the total charge as far as it is known, or before that, the expected price. `paid`: it has ended, and was charged. */
function costOf(
  all: readonly JobCost[],
  expected: ReturnType<PriceBook['brief']>,
  state: 'active' | 'paid' | 'free',
): RowCost {
  const estimate = state !== 'active' && expected?.range !== undefined ? { estimate: expected.range } : {};
  const known = all.flatMap((one) => {
    const amount = amountOf(one);
    return amount === undefined ? [] : [{ ...one, amount }];
  });
  const [first] = known;
  if (!first) {
    const unmeasured = all.flatMap(({ cost }) => costText(cost)?.text ?? [])[0] ?? '';
    if (state === 'active') return { cost: expected?.likely ?? '', costHint: expected?.hint ?? '' };
    return { cost: state === 'paid' ? unknownText(all) : '', costHint: sentence(unmeasured) ?? '', ...estimate };
  }
  const measured = first.cost && 'fell' in first.cost ? first.cost : undefined;
  const sum = known.reduce((before, { amount }) => before + amount, 0);
  const text = moneyText(sum, measured ? measured.currency : first.charge?.currency, vscode.env.language);
  const isPart = known.length < all.length;
  const hint = isPart
    ? l10n.t('Charges known for {0} of {1}.', known.length, all.length)
    : ((measured ? costText(measured)?.hint : first.charge?.hint) ?? '');
  if (state === 'active' && expected?.range !== undefined)
    return { cost: l10n.t('{0} of {1}', text, expected.likely), costHint: sentences(hint, expected.hint) };
  return { cost: isPart ? l10n.t('{0} so far', text) : text, costHint: hint, ...estimate };
}

/** Returns a job's charge: as measured, or by its prices unless the measurement is in progress. */
function amountOf({ cost, results, charge }: JobCost): number | undefined {
  // One cost may be that of several jobs, and one job may have several results.
  if (cost && 'fell' in cost) return cost.of.length === 1 ? Number(cost.fell) : eachOf(cost) * results;
  return cost?.unmeasured === 'pending' ? undefined : charge?.amount;
}

function unknownText(all: readonly JobCost[]): string {
  const reasons = all.flatMap(({ cost }) => (cost && 'unmeasured' in cost ? [cost.unmeasured] : []));
  if (reasons.length === 0) return l10n.t('unknown');
  return reasons.includes('pending') ? l10n.t('not measured yet') : l10n.t('not measured');
}

/** The requests of a batch. Of one that was not submitted here, the tokens are unknown. */
function expectedOf({ options, input }: BatchJob, requests: number | undefined): readonly ExpectedRequests[] {
  const model = options.replace?.model ?? input?.model;
  if (model === undefined || requests === undefined || input?.inputTokens === undefined) return [];
  return [{ model, requests, inputTokens: input.inputTokens, outputLimit: input.outputLimit }];
}

function mediaCost(jobs: readonly MediaJob[], isActive: boolean, { costs, prices, noted }: PriceSources): RowCost {
  const { task, profileId } = jobs[0]!;
  const pieces = { model: task.request.model, piece: task.kind, count: jobs.length } as const;
  // Failed jobs aren't charged.
  const paid = isActive ? jobs : jobs.filter((job) => jobOutcome(job) !== 'failed');
  return costOf(
    paid.map((job) => ({
      cost: costs.of(job.id),
      results: Math.max(1, job.results?.length ?? 0),
      charge: prices.chargedFor(job, noted.get(job.id)),
    })),
    prices.brief([pieces], { profileId }),
    isActive ? 'active' : paid.length > 0 ? 'paid' : 'free',
  );
}

function requestsText(count: number): string {
  return count === 1 ? l10n.t('1 request') : l10n.t('{0} requests', numberText(count, vscode.env.language));
}
