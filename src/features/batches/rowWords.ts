import { l10n } from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import { beginningOf } from '../../core/assets/altText';
import { isUnderWay, readingOf } from '../../core/batch/state/batchReading';
import type { JobErrorKind } from '../../core/jobs/job';
import { ageWords, leftText } from '../../platform/age';
import type { BatchJob } from '../../services/batches/batchJobs';
import type { BatchRow } from '../../services/batches/batchRow';
import { retryingWords, statusText } from '../../services/batches/batchMessages';
import { numberText, shortened } from '../../platform/displayText';
import { foreign } from '../../core/text/foreignText';
import { rowName } from './batchRows';
import { mergedBatch } from './mergedBatch';

export function nameWords(row: BatchRow): string {
  return rowName(row) ?? shortened(row.batch?.id ?? row.key);
}

/** What has become of it, in a few words. */
export function stateWords(row: BatchRow): string {
  const { job } = row;
  const batch = mergedBatch(row);
  if (!batch) return job ? orderWords(job) : '';
  switch (readingOf(batch)) {
    case 'nothing':
      return l10n.t('completed with nothing in it');
    case 'allFailed':
      return l10n.t('completed, every request failed');
    case 'waiting':
    case 'running':
    case 'done':
    case 'partlyDone':
    case 'failed':
    case 'ended':
    case 'unknown':
      return statusText(batch.status);
  }
}

/** Of an order that is no batch as far as is known. */
function orderWords({ stage }: BatchJob): string {
  switch (stage) {
    case 'preparing':
      return l10n.t('being prepared');
    case 'submitting':
      return l10n.t('being submitted');
    case 'unknown':
      return l10n.t('not known whether it was made');
    case 'refused':
      return l10n.t('not made');
    case 'running':
    case 'fetching':
    case 'ended':
      return l10n.t('not listed by the service');
  }
}

/** Its beginning says most, and leaves room for the time. */
const mostOfModel = 18;

/**
 * What tells it from others, what matters most first: the end of it is cut off where the view is narrow. Of the model the part people call
 * it by.
 */
export function describeRow(row: BatchRow, now: number, language: string): readonly string[] {
  const { batch, job } = row;
  const createdAt = batch?.createdAt === undefined ? job?.createdAt : batch.createdAt * 1000;
  const model = modelOf(row);
  return [
    ...progressWords(row, language),
    resultsWords(row),
    model && beginningOf(model.slice(model.lastIndexOf('/') + 1) || model, mostOfModel),
    (batch && deadlineWords(batch, now, language)?.alone) ?? (createdAt && ageWords(createdAt, now, language)),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
}

/** The one its requests go to, where that is known here. */
export function modelOf({ job }: BatchRow): string | undefined {
  const model = job?.order.replace?.model ?? job?.input?.model;
  return model && foreign(model);
}

/** Of one that runs or is completed the numbers say more than the word, which the icon says too. */
function progressWords(row: BatchRow, language: string): readonly (string | undefined)[] {
  const { job } = row;
  const batch = mergedBatch(row);
  const requests = job?.input?.requests;
  const retrying = retryingWords(row.retries ?? [], batch?.requestCounts?.total ?? requests);
  if (retrying !== undefined) return [retrying];
  if (!batch) {
    const count = requests === undefined ? undefined : l10n.t('{0} requests', numberText(requests, language));
    return [stateWords(row), requests === 1 ? l10n.t('1 request') : count];
  }
  const { total, completed, failed = 0 } = batch.requestCounts ?? {};
  if (!total || completed === undefined) return [stateWords(row)];
  const text = (count: number) => numberText(count, language);
  if (batch.status !== 'in_progress') {
    switch (readingOf(batch)) {
      case 'done':
        return [l10n.t('{0} done', text(total))];
      case 'partlyDone':
        return [
          failed > 0
            ? l10n.t('{0} of {1} failed', text(failed), text(total))
            : l10n.t('{0} of {1} done', text(completed), text(total)),
        ];
      case 'allFailed':
        return [l10n.t('all {0} failed', text(total))];
      case 'waiting':
      case 'running':
      case 'nothing':
      case 'failed':
      case 'ended':
      case 'unknown':
        return [stateWords(row), l10n.t('{0} of {1}', text(completed), text(total))];
    }
  }
  const percent = Math.min(100, Math.floor(((completed + failed) / total) * 100));
  return [l10n.t('{0} % of {1}', percent, text(total)), failed > 0 ? l10n.t('{0} failed', text(failed)) : undefined];
}

/** What is going on with the answers of a batch that is over, where there is something to say. */
function resultsWords({ batch, job }: BatchRow): string | undefined {
  if (!batch || !job || isUnderWay(batch)) return undefined;
  const { trouble } = job;
  if (!trouble) return job.stage === 'fetching' ? l10n.t('fetching results') : undefined;
  if (trouble.kind === 'cutShort') return l10n.t('results cut short');
  return withResults.has(trouble.kind) ? undefined : l10n.t('results not fetched');
}

/** Troubles after which there are all results there can be. */
const withResults: ReadonlySet<JobErrorKind> = new Set(['noResults', 'savedElsewhere', 'startedTwice', 'answerLost']);

/** When what is not answered ends as expired, also behind its label; `undefined` where it is over or not told. */
export function deadlineWords(batch: Batch, now: number, language: string) {
  if (batch.expiresAt === undefined || !isUnderWay(batch)) return undefined;
  const left = leftText(batch.expiresAt * 1000, now, language);
  return left === undefined
    ? { alone: l10n.t('past its deadline'), labelled: l10n.t('it has passed') }
    : { alone: l10n.t('deadline in {0}', left), labelled: l10n.t('in {0}', left) };
}
