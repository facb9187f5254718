import type * as vscode from 'vscode';
import { env, l10n } from 'vscode';
import { endedAt } from '../../core/batch/state/batchPhases';
import { isUnderWay } from '../../core/batch/state/batchReading';
import type { BatchJob } from '../../services/batches/batchJobs';
import { listText } from '../../protocol/formats';

export interface BatchBadge extends vscode.ViewBadge {
  /** Whether a batch ended that the user has not seen. */
  readonly hasEnded: boolean;
}

/** Counts the jobs that ended after `seenAt` (Unix milliseconds), or else those in progress; `undefined` if there are none. */
export function badgeOf(jobs: readonly BatchJob[], seenAt: number): BatchBadge | undefined {
  const ended = jobs.filter(({ batch }) => batch && !isUnderWay(batch) && (endedAt(batch) ?? 0) > seenAt).length;
  const running = jobs.filter(({ batch }) => batch && isUnderWay(batch)).length;
  if (ended + running === 0) return undefined;
  const words = [
    ended === 1 ? l10n.t('1 batch has ended') : ended > 1 && l10n.t('{0} batches have ended', ended),
    running === 1 ? l10n.t('1 batch is under way') : running > 1 && l10n.t('{0} batches are under way', running),
  ];
  return { value: ended || running, tooltip: listText(words, env.language), hasEnded: ended > 0 };
}
