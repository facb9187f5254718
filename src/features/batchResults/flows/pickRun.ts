import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { mostComparedRuns } from '../../../core/batch/results/compare/comparisonView';
import { withoutRetries } from '../../../core/batch/results/retries';
import type { Run } from '../../../core/batch/results/runFile';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import { foreign } from '../../../core/text/foreignText';
import { ageWords } from '../../../platform/age';
import { statusText } from '../../../services/batches/batchMessages';
import { absoluteTimeText, numberText, shortened } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { showQuickPicks } from '../../../platform/notify';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { keyOf, type ResultsTarget } from '../logic/resultsTarget';
import type { Runs } from '../logic/runs';
import type { ShownRun } from '../run/shownRun';

interface RunOf {
  readonly path: string;
  readonly sha256?: string;
}

/**
 * Asks the user for a run on this machine, or for result files; `undefined` if the user cancels. Lists runs of the same batch file
 * first: that of `shown`, which isn't offered itself, or else that in the active editor.
 */
export async function pickRun(runs: Runs, title: string, shown?: ShownRun): Promise<ResultsTarget | undefined> {
  const items: PickItem<ResultsTarget | 'files'>[] = [
    ...(await offeredRuns(runs, shown ? [shown] : [])),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: l10n.t('Choose Result Files…'), iconPath: new vscode.ThemeIcon('folder-opened'), value: 'files' },
  ];
  const placeholder = l10n.t('Select a run');
  const answer = await askPick({ title, placeholder, canGoBack: false, canFilter: true, items });
  if (answer.kind !== 'value') return undefined;
  return answer.value === 'files' ? chooseFiles(title) : answer.value;
}

/**
 * Asks the user for runs on this machine to compare with others; `undefined` if the user cancels. With `compared` empty, at least two are
 * needed.
 */
export async function pickRuns(
  runs: Runs,
  title: string,
  compared: readonly ShownRun[],
): Promise<readonly ResultsTarget[] | undefined> {
  const items = await offeredRuns(runs, compared);
  if (!items.some(({ value }) => value)) {
    throw new UserError(l10n.t('No runs to compare'), l10n.t('Submit or run the file first.'));
  }
  const placeHolder = l10n.t(
    'Select up to {0} runs',
    numberText(mostComparedRuns - compared.length, vscode.env.language),
  );
  const chosen = await showQuickPicks(items, { title, placeHolder, matchOnDescription: true, matchOnDetail: true });
  return chosen?.flatMap(({ value }) => value ?? []);
}

/** Lists the runs that are not compared yet, those of the same batch file first. */
async function offeredRuns(runs: Runs, compared: readonly ShownRun[]): Promise<readonly PickItem<ResultsTarget>[]> {
  const input = compared.map(inputOf).find((one) => one !== undefined) ?? activeInput();
  const taken = new Set(compared.map(({ target }) => keyOf(target)));
  const offered = withoutRetries(await runs.all()).filter(
    (run) => !taken.has(keyOf({ kind: 'folder', folder: run.path })),
  );
  const same = offered.filter((run) => isOf(run, input));
  const others = offered.filter((run) => !same.includes(run));
  return [
    ...divided(input ? l10n.t('Runs of {0}', foreign(path.basename(input.path))) : '', same),
    ...divided(same.length > 0 ? l10n.t('Other runs') : l10n.t('Runs'), others),
  ];
}

/** Returns the runs of the batch file of a run, newest first. */
export async function runsOf(runs: Runs, run: ShownRun): Promise<readonly RunFolder[]> {
  const input = inputOf(run);
  return input === undefined ? [] : withoutRetries(await runs.all()).filter((one) => isOf(one, input));
}

function inputOf({ state: { input, source } }: ShownRun): RunOf | undefined {
  const sha256 = source?.input?.sha256;
  return input === undefined ? undefined : { path: input, ...(sha256 !== undefined && { sha256 }) };
}

function activeInput(): RunOf | undefined {
  const { uri, languageId } = vscode.window.activeTextEditor?.document ?? {};
  return languageId === 'jsonl' && uri?.scheme === 'file' ? { path: uri.fsPath } : undefined;
}

function isOf({ run }: RunFolder, input: RunOf | undefined): boolean {
  if (!input || !run.input) return false;
  return run.input.path === input.path || (run.input.sha256 !== '' && run.input.sha256 === input.sha256);
}

function divided(label: string, runs: readonly RunFolder[]): readonly PickItem<ResultsTarget>[] {
  if (runs.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...runs.map(itemOf)];
}

function itemOf(folder: RunFolder): PickItem<ResultsTarget> {
  return { ...runItem(folder), value: { kind: 'folder', folder: folder.path } };
}

/** Describes what distinguishes runs of the same name: state, number of answers, model and time. */
export function runItem({ run }: RunFolder) {
  const { language } = vscode.env;
  const model = run.model ?? run.input?.model;
  return {
    label: foreign(run.name),
    description: [stateText(run), countsText(run), model && foreign(model)].filter(Boolean).join(' · '),
    detail: [
      ageWords(run.createdAt, Date.now(), language),
      absoluteTimeText(run.createdAt, language),
      run.kind === 'local' ? l10n.t('Run on this machine') : shortened(run.batchId ?? ''),
    ]
      .filter(Boolean)
      .join(' · '),
    iconPath: new vscode.ThemeIcon(run.kind === 'local' ? 'device-desktop' : 'checklist'),
  };
}

function stateText({ ended, status }: Run): string {
  if (!ended) return l10n.t('in progress');
  return status === undefined ? l10n.t('completed') : statusText(status);
}

function countsText({ counts, input }: Run): string {
  const { language } = vscode.env;
  const number = (value: number) => numberText(value, language);
  if (!counts) {
    const requests = input?.requests ?? 0;
    if (requests === 0) return '';
    return requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests));
  }
  const { answered, failed, incomplete = 0 } = counts;
  const total = Math.max(input?.requests ?? 0, answered + failed + incomplete);
  const done = l10n.t('{0} of {1}', number(answered), number(total));
  const withFailed = failed > 0 ? l10n.t('{0}, {1} failed', done, number(failed)) : done;
  return incomplete > 0 ? l10n.t('{0}, {1} incomplete', withFailed, number(incomplete)) : withFailed;
}

/** Returns the file filters of a dialog. Batch files and results can have any name. */
export function batchFileFilters(): Record<string, string[]> {
  return { [l10n.t('Batch Files')]: ['jsonl', 'ndjson', 'json', 'txt'], [l10n.t('All Files')]: ['*'] };
}

/** Asks for the result files, then for the batch file they answer, which is optional. */
export async function chooseFiles(title: string): Promise<ResultsTarget | undefined> {
  const filters = batchFileFilters();
  const results = await vscode.window.showOpenDialog({
    title,
    openLabel: l10n.t('Open Results'),
    canSelectMany: true,
    filters,
  });
  const paths = (results ?? []).filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  if (paths.length === 0) return undefined;
  const input = await vscode.window.showOpenDialog({
    title: l10n.t('Select the batch file, or cancel to view only the results.'),
    openLabel: l10n.t('Link'),
    filters,
  });
  const path = input?.[0]?.fsPath;
  return { kind: 'files', results: paths, ...(path !== undefined && { input: path }) };
}
