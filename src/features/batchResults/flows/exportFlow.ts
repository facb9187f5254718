import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExportFormat } from '../../../core/batch/results/exportResults';
import type { ResultsView } from '../../../core/batch/results/resultsView';
import { numberText } from '../../../platform/displayText';
import { askPick } from '../../../platform/quickInput';
import { freePath } from '../../../platform/workspace/writeTarget';
import { tellWritten, withWriting } from '../../../platform/workspace/written';
import type { OpenRun, RunReading } from '../run/openRuns';
import { foreign } from '../../../core/text/foreignText';

interface Form {
  readonly extension: string;
  readonly label: string;
  readonly detail: string;
}

function formOf(format: ExportFormat): Form {
  switch (format) {
    case 'jsonl':
      return {
        extension: 'jsonl',
        label: l10n.t('JSON Lines'),
        detail: l10n.t('One object per line, with request and result'),
      };
    case 'csv':
      return { extension: 'csv', label: 'CSV', detail: l10n.t('A table for spreadsheets') };
    case 'markdown':
      return { extension: 'md', label: 'Markdown', detail: l10n.t('Requests and responses as text') };
  }
}

const formats: readonly ExportFormat[] = ['jsonl', 'csv', 'markdown'];

/** Asks what to export, in which format and where, and writes it. Throws localized errors. */
export async function exportRun(
  { run, reading }: OpenRun,
  view: ResultsView,
  columns: readonly string[],
): Promise<void> {
  const title = l10n.t('Export Results');
  const what = await askWhat(title, reading, view);
  if (what === undefined) return;
  const chosen = await askColumns(title, reading, columns);
  if (!chosen) return;
  const target = await askExportTarget(title, run.state.input ?? run.state.source?.outputs[0], 'results');
  if (!target) return;
  const result = await withWriting(l10n.t('Exporting results'), 1, ({ signal, onProgress }) =>
    reading.call(
      'export',
      { ...target, ...chosen, what, replace: true },
      { signal, onChunk: ({ part }) => onProgress(part) },
    ),
  );
  tellExported(target.target, result.rows);
}

export function tellExported(file: string, rows: number): void {
  const count = numberText(rows, vscode.env.language);
  tellWritten(vscode.Uri.file(file), l10n.t('Exported to {0}. Rows: {1}.', foreign(path.basename(file)), count));
}

/** Asks for the format, then for the file. `word` becomes part of the suggested name. */
export async function askExportTarget(
  title: string,
  beside: string | undefined,
  word: string,
): Promise<{ readonly format: ExportFormat; readonly target: string } | undefined> {
  const answer = await askPick<ExportFormat>({
    title,
    placeholder: l10n.t('Select a format'),
    canGoBack: false,
    items: formats.map((format) => ({ ...formOf(format), value: format })),
  });
  if (answer.kind !== 'value') return undefined;
  const { extension, label } = formOf(answer.value);
  const { dir, name } = path.parse(beside ?? path.join(homeFolder(), l10n.t('batch')));
  const uri = await vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.file(await freePath(path.join(dir, `${name}.${word}.${extension}`))),
    filters: { [label]: [extension] },
  });
  return uri?.scheme === 'file' ? { format: answer.value, target: uri.fsPath } : undefined;
}

function homeFolder(): string {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? path.resolve('/');
}

/** Asks whether to export everything or only the displayed columns, unless there are only the usual ones. */
async function askColumns(
  title: string,
  reading: RunReading,
  columns: readonly string[],
): Promise<{ readonly columns?: readonly string[] } | undefined> {
  const { all = [], defaults = [] } = (await reading.load(false, () => undefined))?.columns ?? {};
  const isPlain = all.every(({ group }) => group === 'run') && defaults.join() === columns.join();
  if (isPlain) return {};
  const answer = await askPick<{ readonly columns?: readonly string[] }>({
    title,
    placeholder: l10n.t('Select columns'),
    canGoBack: false,
    items: [
      {
        label: l10n.t('All columns'),
        detail: l10n.t('Complete requests and responses, with source columns and tokens'),
        value: {},
      },
      {
        label: l10n.t('Visible columns'),
        description: numberText(columns.length, vscode.env.language),
        value: { columns },
      },
    ],
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** Asks which results to export, unless all of them are shown. */
async function askWhat(title: string, reading: RunReading, view: ResultsView): Promise<'shown' | 'all' | undefined> {
  const { count } = await reading.call('arrange', view);
  const isFiltered =
    view.state !== 'all' || view.query !== '' || view.group !== undefined || view.isUnexpected === true;
  if (!isFiltered) return 'shown';
  const answer = await askPick<'shown' | 'all'>({
    title,
    placeholder: l10n.t('Select results'),
    canGoBack: false,
    items: [
      {
        label: l10n.t('Rows shown'),
        description: numberText(count, vscode.env.language),
        value: 'shown',
      },
      { label: l10n.t('All results'), value: 'all' },
    ],
  });
  return answer.kind === 'value' ? answer.value : undefined;
}
