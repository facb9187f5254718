import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { listRunFolders } from '../../../core/batch/results/runFolder';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import { ageWords } from '../../../platform/age';
import { numberText } from '../../../platform/displayText';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { ownResultsRoot, resultsRoot } from '../../../platform/resultsRoot';
import type { Services } from '../../../services';
import { keyOf } from '../run/resultsTarget';
import type { ResultsTarget } from '../run/resultsTarget';

export interface PickRunOptions {
  readonly title: string;
  readonly placeholder: string;
  /** This run is not offered. */
  readonly except?: ResultsTarget;
  /** Runs of this batch file come first. */
  readonly input?: { readonly path: string; readonly sha256?: string };
}

/** Lets a person choose a run of this machine, or result files; `undefined` where they do not. */
export async function pickRun(services: Services, options: PickRunOptions): Promise<ResultsTarget | undefined> {
  const { title, placeholder, except } = options;
  const runs = await allRuns(services);
  const offered = runs.filter(({ path }) => !except || keyOf(except) !== keyOf({ kind: 'folder', folder: path }));
  const same = offered.filter((run) => isOf(run, options.input));
  const others = offered.filter((run) => !same.includes(run));
  const items: PickItem<ResultsTarget | 'files'>[] = [
    ...divided(l10n.t('Of the same batch file'), same),
    ...divided(same.length > 0 ? l10n.t('Others') : l10n.t('Runs'), others),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: l10n.t('Choose Result Files…'), iconPath: new vscode.ThemeIcon('folder-opened'), value: 'files' },
  ];
  const answer = await askPick({ title, placeholder, canGoBack: false, canFilter: true, items });
  if (answer.kind !== 'value') return undefined;
  return answer.value === 'files' ? chooseFiles(title) : answer.value;
}

/** Under the folder that is set, and where runs are kept when that cannot be written; newest first. */
export async function allRuns({ context, settings }: Services): Promise<readonly RunFolder[]> {
  const places = [...new Set([resultsRoot({ context, settings }), ownResultsRoot(context)])];
  const found = await Promise.all(places.map((place) => listRunFolders(place).catch((): readonly RunFolder[] => [])));
  return found.flat().toSorted((a, b) => b.run.createdAt - a.run.createdAt);
}

function isOf({ run }: RunFolder, input: PickRunOptions['input']): boolean {
  if (!input || !run.input) return false;
  return run.input.path === input.path || (run.input.sha256 !== '' && run.input.sha256 === input.sha256);
}

function divided(label: string, runs: readonly RunFolder[]): readonly PickItem<ResultsTarget>[] {
  if (runs.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...runs.map(itemOf)];
}

function itemOf({ path: folder, run }: RunFolder): PickItem<ResultsTarget> {
  const { language } = vscode.env;
  const requests = run.input?.requests;
  const count = requests ? l10n.t('{0} requests', numberText(requests, language)) : undefined;
  return {
    label: run.name,
    description: [ageWords(run.createdAt, Date.now(), language), run.model, count].filter(Boolean).join(' · '),
    detail: [
      run.kind === 'local' ? l10n.t('Run on this machine') : run.batchId,
      run.ended ? '' : l10n.t('not ended yet'),
    ]
      .filter(Boolean)
      .join(' · '),
    iconPath: new vscode.ThemeIcon(run.kind === 'local' ? 'device-desktop' : 'checklist'),
    value: { kind: 'folder', folder },
  };
}

/** The result files first, then the batch file they answer, which may be left out. */
export async function chooseFiles(title: string): Promise<ResultsTarget | undefined> {
  const filters = { 'JSON Lines': ['jsonl'] };
  const results = await vscode.window.showOpenDialog({
    title,
    openLabel: l10n.t('Open Results'),
    canSelectMany: true,
    filters,
  });
  const paths = (results ?? []).filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  if (paths.length === 0) return undefined;
  const input = await vscode.window.showOpenDialog({
    title: l10n.t('Which batch file do these results answer? Cancel to see them alone'),
    openLabel: l10n.t('Link'),
    filters,
  });
  const path = input?.[0]?.fsPath;
  return { kind: 'files', results: paths, ...(path !== undefined && { input: path }) };
}
