import * as l10n from '@vscode/l10n';
import type { Batch } from '../../core/api/batches/batches.schema';
import { beginningOf } from '../../core/assets/altText';
import { isUnderWay, readingOf, rowName } from '../../core/batch/state/batchState';
import { countsOf } from '../../core/jobs/batch/batchState';
import type { JobErrorKind } from '../../core/jobs/job';
import { ageWords, leftText } from '../../platform/age';
import type { BatchJob, BatchRow } from '../../services/batches/batches';
import { retryingWords, statusText } from '../../services/batches/batchMessages';
import { numberText, shortened } from '../../platform/displayText';
import { foreign } from '../../core/text/foreignText';
import { mergedBatch } from './logic/mergedBatch';

export function nameWords(row: BatchRow): string {
  return rowName(row) ?? shortened(row.batch?.id ?? row.key);
}

/** The state of a row in a few words. */
export function stateWords(row: BatchRow): string {
  const { job } = row;
  const batch = mergedBatch(row);
  if (!batch) return job ? submittingText(job) : '';
  switch (readingOf(batch)) {
    case 'nothing':
      return l10n.t('completed without results');
    case 'allFailed':
      return l10n.t('completed, all requests failed');
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

/** The state of a job that has no known batch. */
function submittingText({ stage }: BatchJob): string {
  switch (stage) {
    case 'preparing':
      return l10n.t('being prepared');
    case 'submitting':
      return l10n.t('being submitted');
    case 'queued':
      return l10n.t('waiting to be submitted');
    case 'unknown':
      return l10n.t('not confirmed');
    case 'refused':
      return l10n.t('not created');
    case 'running':
    case 'fetching':
    case 'ended':
      return l10n.t('not listed by the service');
  }
}

/** The beginning of a model's name says most, and leaves space for the time. */
const mostOfModel = 18;

/**
 * Returns the parts of a row's description, most important first, because a narrow view cuts off the end. Of the model, only the name
 * after its last slash.
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

/** The model that answers the requests, if known locally. */
export function modelOf({ job }: BatchRow): string | undefined {
  const model = job?.options.replace?.model ?? job?.input?.model;
  return model && foreign(model);
}

/** For a running or completed batch, the counts say more than the status, which the icon already shows. */
function progressWords(row: BatchRow, language: string): readonly (string | undefined)[] {
  const { job } = row;
  const batch = mergedBatch(row);
  const requests = job?.input?.requests;
  const retrying = retryingWords(row.retries ?? [], batch?.requestCounts?.total ?? requests);
  if (retrying !== undefined) return [retrying];
  if (!batch) {
    if (requests === undefined) return [stateWords(row), undefined];
    const count = requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', numberText(requests, language));
    return [stateWords(row), count];
  }
  const { total, completed, failed = 0 } = batch.requestCounts ?? {};
  if (!total || completed === undefined) return [stateWords(row)];
  const text = (count: number) => numberText(count, language);
  if (batch.status !== 'in_progress') {
    switch (readingOf(batch)) {
      case 'done': {
        // The service counts truncated and empty responses as completed.
        const { answered, incomplete } = countsOf(job?.fetched);
        return incomplete > 0
          ? [l10n.t('{0} of {1} completed', text(answered), text(total)), l10n.t('{0} incomplete', text(incomplete))]
          : [l10n.t('{0} done', text(total))];
      }
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
  return [l10n.t('{0}% of {1}', percent, text(total)), failed > 0 ? l10n.t('{0} failed', text(failed)) : undefined];
}

/** The state of an ended batch's results, if worth showing. */
function resultsWords({ batch, job }: BatchRow): string | undefined {
  if (!batch || !job || isUnderWay(batch)) return undefined;
  const { lastError } = job;
  if (!lastError) return job.stage === 'fetching' ? l10n.t('downloading results') : undefined;
  if (lastError.kind === 'cutShort') return l10n.t('incomplete results');
  return withResults.has(lastError.kind) ? undefined : l10n.t('results not downloaded');
}

/** Errors after which no further results can be expected. */
const withResults: ReadonlySet<JobErrorKind> = new Set(['noResults', 'savedElsewhere', 'startedTwice', 'answerLost']);

/**
 * The time left before unanswered requests expire, alone and in a form that follows a label; `undefined` if the batch has ended
 * or has no deadline.
 */
export function deadlineWords(batch: Batch, now: number, language: string) {
  if (batch.expiresAt === undefined || !isUnderWay(batch)) return undefined;
  const left = leftText(batch.expiresAt * 1000, now, language);
  return left === undefined
    ? { alone: l10n.t('past its deadline'), labelled: l10n.t('overdue') }
    : { alone: l10n.t('deadline in {0}', left), labelled: l10n.t('{0} left', left) };
}
