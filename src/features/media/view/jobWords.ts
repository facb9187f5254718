import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../../platform/displayText';
import type { MediaJob } from '../../../services/media/media';
import { isUnderWay } from '../logic/underWay';
import { durationText } from '../../../protocol/formats';

/** Describes a job's progress or outcome. */
export function stateWords(job: MediaJob): string {
  const { stage, status, task, lastError } = job;
  switch (stage) {
    case 'preparing':
    case 'queued':
      return l10n.t('being prepared');
    case 'submitting':
      return task.kind === 'image' ? l10n.t('generating') : l10n.t('sending');
    case 'unknown':
      return l10n.t('not confirmed');
    case 'refused':
      return l10n.t('not started');
    case 'running':
      return statusWords(status);
    case 'fetching':
      return lastError ? l10n.t('not saved yet') : l10n.t('saving');
    case 'ended':
      return endWords(job);
  }
}

function endWords({ results = [], lastError }: MediaJob): string {
  const saved = results.filter(({ path }) => path !== undefined).length;
  if (saved > 0)
    return l10n.t(
      '{0} of {1} saved',
      numberText(saved, vscode.env.language),
      numberText(results.length, vscode.env.language),
    );
  if (lastError?.kind === 'expired') return l10n.t('link expired');
  if (lastError?.kind === 'noResults') return l10n.t('done, but no download link');
  return lastError?.kind === 'failed' ? l10n.t('failed') : l10n.t('unsaved');
}

/** Shows an unknown status of the service as is. */
function statusWords(status: string | undefined): string {
  switch (status?.toLowerCase()) {
    case undefined:
    case 'inqueue':
      return l10n.t('queued');
    case 'inprogress':
      return l10n.t('generating');
    case 'succeed':
      return l10n.t('done, waiting for the download link');
    default:
      return status ?? '';
  }
}

/** Returns the state, the position in the queue, and the elapsed time; for a finished job, its age. */
export function describeJob(job: MediaJob, now: number, ageWords: (at: number) => string): readonly string[] {
  const { language } = vscode.env;
  const { position, status, stage, createdAt } = job;
  const waits = stage === 'running' && (status === undefined || status.toLowerCase() === 'inqueue');
  const place = waits && position !== undefined ? l10n.t('position {0}', numberText(position, language)) : undefined;
  const time = isUnderWay(job) ? durationText(Math.max(0, now - createdAt), language) : ageWords(createdAt);
  return [stateWords(job), place, time].filter((part) => part !== undefined);
}
