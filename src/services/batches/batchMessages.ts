import { env, l10n } from 'vscode';
import type { Batch, BatchFault } from '../../core/api/batches/batches.schema';
import { foreign } from '../../core/text/foreignText';
import { isAwaited } from './batchRow';
import type { Ordered } from './batchRow';
import { numberText } from '../../platform/displayText';

const longestFault = 500;

/** Localizes a known status; returns any other unchanged. */
export function statusText(status: string): string {
  switch (status) {
    case 'validating':
      return l10n.t('being checked');
    case 'in_queue':
      return l10n.t('in queue');
    case 'in_progress':
      return l10n.t('in progress');
    case 'finalizing':
      return l10n.t('finalizing');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'expired':
      return l10n.t('expired');
    case 'cancelling':
      return l10n.t('cancelling');
    case 'cancelled':
      return l10n.t('cancelled');
    default:
      return status;
  }
}

/** Formats an error reported by the service, with its code and line if the service sends them. */
export function faultText({ message, code, line }: BatchFault, language: string): string {
  const said = [code, message].flatMap((text) => (text ? [foreign(text, longestFault)] : [])).join(' · ');
  return line === undefined ? said : l10n.t('Line {0}: {1}', numberText(line, language), said);
}

/** Returns how many of its requests are done, or `undefined` if the service does not report it. */
export function progressText({ requestCounts }: Batch, language: string): string | undefined {
  const { total, completed, failed } = requestCounts ?? {};
  if (total === undefined || completed === undefined) return undefined;
  const done = l10n.t('{0} of {1}', numberText(completed, language), numberText(total, language));
  return failed ? l10n.t('{0}, {1} failed', done, numberText(failed, language)) : done;
}

/** Returns how many requests of a run are being retried, or `undefined` if none. `total`: number in the run, if known. */
export function retryingWords(retries: readonly Ordered[], total: number | undefined): string | undefined {
  const awaited = retries.filter(isAwaited);
  if (awaited.length === 0) return undefined;
  const count = awaited.reduce((sum, { job }) => sum + (job?.input?.requests ?? 0), 0);
  const { language } = env;
  return total === undefined
    ? l10n.t('Retrying {0}', numberText(count, language))
    : l10n.t('Retrying {0} of {1}', numberText(count, language), numberText(total, language));
}
