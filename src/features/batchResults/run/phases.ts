import { l10n } from 'vscode';
import * as vscode from 'vscode';
import type { Batch } from '../../../core/api/batches/batches.schema';
import { absoluteTimeText, numberText } from '../../../platform/displayText';
import type { ResultsPhase } from '../../../protocol/batchResults';
import { dateFormat, listText } from '../../../protocol/formats';

interface Step {
  /** The status of a batch in this step. */
  readonly status: string;
  readonly label: string;
  /** Unix seconds. */
  readonly at: number | undefined;
}

const ends = ['completed', 'failed', 'expired', 'cancelled'];

/** Derives the past and future phases of a batch from its timestamps. An unknown status is shown as it is. */
export function phasesOf(batch: Batch, now: number): readonly ResultsPhase[] {
  const way = wayOf(batch);
  const end = endOf(batch);
  if (ends.includes(batch.status)) {
    const passed = way.filter(({ at }) => at !== undefined).map((step) => phaseOf(step, 'done', now));
    const state = batch.status === 'completed' ? 'done' : 'ended';
    return [...passed, { ...phaseOf(end, state, now), detail: joined(timeText(end.at, now), countsText(batch)) }];
  }
  const known = way.findIndex(({ status }) => status === batch.status);
  const steps = known >= 0 || batch.status === 'validating' ? way : withUnknown(way, batch.status);
  const current = Math.max(0, known >= 0 ? known : steps.findIndex(({ status }) => status === batch.status));
  return [
    ...steps.map((step, index) => {
      if (index < current) return phaseOf(step, 'done', now);
      if (index > current) return phaseOf({ ...step, at: undefined }, 'ahead', now);
      const phase = phaseOf(step, 'current', now);
      return { ...phase, detail: joined(phase.detail, countsText(batch)) };
    }),
    { ...phaseOf({ ...end, at: undefined }, 'ahead', now), ...expiry(batch, now) },
  ];
}

function wayOf({ status, ...batch }: Batch): readonly Step[] {
  const cancelling: Step = { status: 'cancelling', label: l10n.t('Cancelling'), at: batch.cancellingAt };
  return [
    status === 'validating'
      ? { status, label: l10n.t('Being checked'), at: batch.createdAt }
      : { status: 'in_queue', label: l10n.t('In queue'), at: batch.createdAt },
    { status: 'in_progress', label: l10n.t('In progress'), at: batch.inProgressAt },
    ...(batch.cancellingAt !== undefined || status === 'cancelling'
      ? [cancelling]
      : [{ status: 'finalizing', label: l10n.t('Finalizing'), at: batch.finalizingAt }]),
  ];
}

function endOf({ status, ...batch }: Batch): Step {
  switch (status) {
    case 'failed':
      return { status, label: l10n.t('Failed'), at: batch.failedAt };
    case 'expired':
      return { status, label: l10n.t('Expired'), at: batch.expiredAt };
    case 'cancelled':
    case 'cancelling':
      return { status, label: l10n.t('Cancelled'), at: batch.cancelledAt };
    default:
      return { status, label: l10n.t('Completed'), at: batch.completedAt };
  }
}

/** Inserts an unknown status after the last step whose time is known. */
function withUnknown(way: readonly Step[], status: string): readonly Step[] {
  const at = way.findLastIndex((step) => step.at !== undefined) + 1;
  return way.toSpliced(at, 0, { status, label: status, at: undefined });
}

function phaseOf({ label, at }: Step, state: ResultsPhase['state'], now: number): ResultsPhase {
  const hint = at === undefined ? '' : absoluteTimeText(at * 1000, vscode.env.language);
  return { label, state, detail: timeText(at, now), hint };
}

function expiry({ expiresAt }: Batch, now: number): Partial<ResultsPhase> {
  if (expiresAt === undefined) return {};
  return {
    detail: l10n.t('by {0}', timeText(expiresAt, now)),
    hint: absoluteTimeText(expiresAt * 1000, vscode.env.language),
  };
}

/** Formats a time (`at` in Unix seconds), with the date unless it is today. */
function timeText(at: number | undefined, now: number): string {
  if (at === undefined) return '';
  const date = new Date(at * 1000);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return dateFormat(vscode.env.language, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(date);
}

function countsText({ requestCounts }: Batch): string {
  const { total, completed, failed } = requestCounts ?? {};
  if (total === undefined || total === 0 || completed === undefined) return '';
  const { language } = vscode.env;
  const done = l10n.t('{0} of {1}', numberText(completed, language), numberText(total, language));
  return failed ? l10n.t('{0}, {1} failed', done, numberText(failed, language)) : done;
}

function joined(...parts: readonly string[]): string {
  return listText(parts, vscode.env.language);
}
