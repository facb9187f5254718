import * as l10n from '@vscode/l10n';
import { listText } from '../../../protocol/formats';
import type { EvalNotice } from '../../../protocol/evalResults';
import { runStage } from '../../../core/evals/run/storedRun';
import type { StoredRun } from '../../../core/evals/run/storedRun';
import type { EvalNumbers } from './evalNumbers';

const mostReasons = 3;

/** Returns what is incomplete or damaged in a run, and what to do about it; the worst first. */
export function runNotices(run: StoredRun, numbers: EvalNumbers): readonly EvalNotice[] {
  return [...damage(run, numbers), ...interruption(run, numbers), ...difference(run, numbers)];
}

function damage({ manifest, unreadable, baselineProblem }: StoredRun, numbers: EvalNumbers): readonly EvalNotice[] {
  const notices: EvalNotice[] = [];
  if (manifest === 'damaged')
    notices.push({
      tone: 'error',
      title: l10n.t('The run folder is damaged'),
      detail: l10n.t('manifest.json is unreadable. The next run recreates it.'),
      actions: [],
    });
  if (unreadable > 0)
    notices.push({
      tone: 'warning',
      title: l10n.t("Couldn't read some responses"),
      detail: l10n.t(
        'Damaged lines in responses.jsonl: {0}. Their results count as missing.',
        numbers.count(unreadable),
      ),
      actions: [],
    });
  if (baselineProblem !== undefined)
    notices.push({
      tone: 'warning',
      title: l10n.t("Couldn't use the baseline"),
      detail: l10n.t('baseline.json is damaged, or most of its rows are different. Set a new baseline.'),
      actions: [],
    });
  return notices;
}

function interruption(run: StoredRun, numbers: EvalNumbers): readonly EvalNotice[] {
  const { progress, lost, isRunning } = run;
  const notices = progress.problems.map((problem): EvalNotice => ({
    tone: 'error',
    title: l10n.t('A batch failed'),
    detail: problem,
    actions: [],
  }));
  for (const [text, count] of progress.elsewhere)
    if (!isRunning)
      notices.push({
        tone: 'warning',
        title: l10n.t('Requests without results: {0}', numbers.count(count)),
        detail: text,
        actions: [{ id: 'retry', label: l10n.t('Retry Failed Requests…') }],
      });
  if (lost > 0 && !isRunning)
    notices.push({
      tone: 'warning',
      title: l10n.t('The run was interrupted'),
      detail: l10n.t('Requests without a response: {0}. Resume the run to complete it.', numbers.count(lost)),
      actions: [],
    });
  if (progress.failed > 0 && !isRunning)
    notices.push({
      tone: 'warning',
      title: l10n.t('Failed requests: {0}', numbers.count(progress.failed)),
      detail: reasonsOf(run, numbers),
      actions: [{ id: 'retry', label: l10n.t('Retry Failed Requests…') }],
    });
  return notices;
}

/** Parts of the eval file that the run doesn't have. */
function difference(run: StoredRun, numbers: EvalNumbers): readonly EvalNotice[] {
  const { manifest, unsent, isRunning, plan, plannedRows } = run;
  const stage = runStage(run);
  const actions = stage === 'none' || isRunning ? [] : [{ id: 'run', label: l10n.t('Run Eval…') }];
  const isChanged = manifest && manifest !== 'damaged' && manifest.variants.some((id) => !hasVariant(run, id));
  if (isChanged)
    return [
      {
        tone: 'warning',
        title: l10n.t('The eval file has changed since this run'),
        detail: l10n.t("Responses from earlier prompts and models aren't shown."),
        actions,
      },
    ];
  if (stage === 'none' || isRunning) return [];
  if (unsent > 0)
    return [
      {
        tone: 'info',
        title: l10n.t('Requests not sent: {0}', numbers.count(unsent)),
        detail: l10n.t('Run the eval to get their results.'),
        actions,
      },
    ];
  if (plan.rows.length === plannedRows) return [];
  return [
    {
      tone: 'info',
      title: l10n.t('Rows in this run: {0} of {1}', numbers.count(plan.rows.length), numbers.count(plannedRows)),
      detail: l10n.t('Run the eval to add the other rows. Saved responses are reused.'),
      actions,
    },
  ];
}

function hasVariant({ plan }: StoredRun, id: string): boolean {
  return plan.variants.some((variant) => variant.id === id);
}

/** The most frequent reasons of failed requests. */
function reasonsOf({ answers }: StoredRun, numbers: EvalNumbers): string {
  const counts = new Map<string, number>();
  for (const { failure } of answers.values())
    if (failure !== undefined) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  const most = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostReasons);
  return listText(
    most.map(([reason, times]) => (counts.size === 1 ? reason : `${reason} (${numbers.count(times)})`)),
    numbers.language,
  );
}
