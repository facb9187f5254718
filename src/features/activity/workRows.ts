import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { beginningOf, oneLine } from '../../core/assets/altText';
import { currencyOf } from '../../core/profiles/knownServices';
import type { ExpectedCharge } from '../../core/prices/paidWork';
import { foreign } from '../../core/text/foreignText';
import type { UsageSource } from '../../core/usage/usage';
import type { RunningWork, WorkProgress } from '../../platform/activity';
import { numberText } from '../../platform/displayText';
import type { ActivityRow } from '../../protocol/activity';
import { moneyText } from '../../protocol/formats';
import type { LocalRunRecord } from '../../services/batches/localRuns';
import { leaseIdOf } from '../../services/batches/resultsRoot';
import type { PriceBook } from '../../services/usage/prices';
import type { WorkElsewhere } from '../../services/work/work';
import { leftWords, longestName, whenText, type TimedRow } from './activityRows';

/** Everything in progress that isn't a job. */
export interface WorkSources {
  readonly running: readonly RunningWork[];
  readonly elsewhere: readonly WorkElsewhere[];
  readonly runs: readonly LocalRunRecord[];
}

type Work = RunningWork | WorkElsewhere;

/** The work of all windows that isn't a job, and the runs of batch files on this machine. `now`: Unix milliseconds. */
export function workRows(
  { running, elsewhere, runs }: WorkSources,
  prices: PriceBook,
  now: number,
): readonly TimedRow[] {
  const work: readonly Work[] = [...running.filter(({ kind }) => kind !== 'job'), ...elsewhere];
  const ofRun = new Map(work.flatMap((one) => (one.folder === undefined ? [] : [[one.folder, one] as const])));
  const listed = new Set(runs.map((run) => run.path));
  const others = work.filter(({ folder }) => folder === undefined || !listed.has(folder));
  return [
    ...runs.map((run) => runRow(run, ofRun.get(run.path), prices, now)),
    ...others.map((one) => workRow(one, prices, now)),
  ];
}

/** Whether this window can end the work, or ask its own window to. */
function canStop(work: Work): boolean {
  return isElsewhere(work) ? work.stopId !== undefined : work.stop !== undefined;
}

/** Returns whether the work is that of another window or server. */
function isElsewhere(work: Work): work is WorkElsewhere {
  return 'where' in work;
}

function workRow(work: Work, prices: PriceBook, now: number): TimedRow {
  const { label, subject, startedAt, progress } = work;
  const price = priceOf(work, prices);
  const name = oneLine(foreign(subject ?? '', 300));
  return {
    at: startedAt,
    row: {
      id: isElsewhere(work) ? `other:${work.id}` : `work:${work.id}`,
      kind: kindOf(work.kind),
      outcome: 'active',
      name: beginningOf(name === '' ? foreign(label, 300) : name, longestName),
      opens: false,
      state: [name === '' ? '' : foreign(label, 80), ...whereTexts(work)].filter((text) => text !== '').join(' · '),
      ...progressOf(progress),
      time: leftWords(startedAt, now, shareOf(progress)),
      cost: price?.likely ?? '',
      costHint: price?.hint ?? '',
      actions: canStop(work) ? [{ action: 'stop', label: l10n.t('Stop') }] : [],
    },
  };
}

function runRow(
  { path: folder, run, isRunning }: LocalRunRecord,
  work: Work | undefined,
  prices: PriceBook,
  now: number,
): TimedRow {
  const { counts, createdAt, ended, input, cost } = run;
  const progress = work?.progress;
  const requests = input?.requests ?? progress?.total;
  const done = progress?.done ?? (counts && counts.answered + (counts.incomplete ?? 0) + counts.failed);
  const lost = (counts?.failed ?? 0) + (counts?.incomplete ?? 0);
  const outcome = isRunning
    ? 'active'
    : !ended || lost > 0
      ? counts?.answered || !ended
        ? 'partly'
        : 'failed'
      : 'done';
  const stateText = isRunning
    ? progress?.isPaused
      ? l10n.t('paused')
      : l10n.t('in progress')
    : ended
      ? l10n.t('completed')
      : l10n.t('stopped');
  const number = (value: number) => numberText(value, vscode.env.language);
  const price = isRunning && work ? priceOf(work, prices) : undefined;
  const state = [
    l10n.t('Batch file run'),
    stateText,
    done !== undefined && requests !== undefined && l10n.t('{0} of {1}', number(done), number(requests)),
    !isRunning && lost > 0 && l10n.t('{0} failed', number(lost)),
    ...(isRunning && work ? whereTexts(work) : []),
  ];
  return {
    at: createdAt,
    row: {
      id: `run:${leaseIdOf(folder)}`,
      kind: 'run',
      outcome,
      name: beginningOf(foreign(input ? path.basename(input.path) : run.name, 300), longestName),
      opens: true,
      state: state.filter((part) => typeof part === 'string' && part !== '').join(' · '),
      ...(isRunning && progressOf(progress)),
      time: isRunning ? leftWords(work?.startedAt ?? createdAt, now, shareOf(progress)) : whenText(createdAt, now),
      cost:
        cost === undefined
          ? !isRunning && counts?.answered
            ? l10n.t('unknown')
            : (price?.likely ?? '')
          : moneyText(cost, currencyOf(run.baseUrl), vscode.env.language),
      costHint: price?.hint ?? '',
      actions: isRunning ? (work ? runningActions(work) : []) : endedActions(run),
    },
  };
}

/** A run of another window can only be stopped from here. */
function runningActions(work: Work): ActivityRow['actions'] {
  const { progress } = work;
  if (isElsewhere(work)) return canStop(work) ? [{ action: 'stop', label: l10n.t('Stop') }] : [];
  return [
    progress?.isPaused ? { action: 'resume', label: l10n.t('Continue') } : { action: 'pause', label: l10n.t('Pause') },
    { action: 'stop', label: l10n.t('Stop') },
  ];
}

function endedActions({ ended, counts }: LocalRunRecord['run']): ActivityRow['actions'] {
  return [
    ...(ended ? [] : [{ action: 'continue' as const, label: l10n.t('Continue…') }]),
    ...(ended && (counts?.failed ?? 0) + (counts?.incomplete ?? 0) > 0
      ? [{ action: 'retryFailed' as const, label: l10n.t('Retry Failed Requests…') }]
      : []),
    { action: 'forget', label: l10n.t('Remove from List…') },
  ];
}

/** Names the window or server of work that isn't of this window. */
function whereTexts(work: Work): readonly string[] {
  if (!isElsewhere(work)) return [];
  const { client, where } = work;
  if (client === 'mcp') return [l10n.t('MCP server')];
  return [where === '' ? l10n.t('in another window') : l10n.t('in window {0}', foreign(oneLine(where), 60))];
}

function progressOf(progress: WorkProgress | undefined): { readonly progress?: number } {
  return progress && progress.total > 0 ? { progress: shareOf(progress) } : {};
}

function shareOf(progress: WorkProgress | undefined): number {
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
}

/** Returns the price of everything that the work will send; `undefined` if that is unknown. */
function priceOf(work: Work, prices: PriceBook): ReturnType<PriceBook['brief']> {
  const expected = expectedOf(work);
  return expected.length === 0
    ? undefined
    : prices.brief(expected, { profileId: work.profileId, purpose: purposeOf(work.kind) });
}

function expectedOf(work: Work): readonly ExpectedCharge[] {
  if (!isElsewhere(work)) return work.expected?.() ?? [];
  // A note of another window leaves out a limit that isn't set.
  return (work.expected ?? []).map((charge) =>
    'piece' in charge ? charge : { ...charge, outputLimit: charge.outputLimit },
  );
}

/** What its responses are for, as earlier ones for the same have a similar length. */
function purposeOf(kind: string): UsageSource | undefined {
  if (kind === 'batchFile') return 'batchLines';
  return kind === 'chat' || kind === 'completion' ? kind : undefined;
}

function kindOf(kind: string): ActivityRow['kind'] {
  switch (kind) {
    case 'chat':
    case 'completion':
    case 'eval':
    case 'search':
    case 'speech':
    case 'tool':
      return kind;
    case 'batchFile':
      return 'run';
    default:
      return 'other';
  }
}
