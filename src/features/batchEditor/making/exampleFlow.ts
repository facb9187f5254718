import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exampleFile, exampleKinds } from '../../../core/batch/making/examples';
import type { ExampleKind } from '../../../core/batch/making/examples';
import { chooseModel } from '../../../core/catalogue/jobs';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import { runCommand } from '../../../platform/contributions';
import { askPick, type PickItem } from '../../../platform/quickInput';

type Start = ExampleKind | 'newFromRows' | 'newFromFiles' | 'newFromSelection';

/** Asks what to start from. Opens an example as an untitled document; runs the command for any other start. */
export async function newBatchFile(catalogue: CatalogueState): Promise<void> {
  const words = exampleKindWords();
  const start = (value: Start, icon: string, label: string, detail: string): PickItem<Start> => ({
    iconPath: new vscode.ThemeIcon(icon),
    label,
    detail,
    value,
  });
  const hasSelection = vscode.window.activeTextEditor?.selection.isEmpty === false;
  const answer = await askPick<Start>({
    title: l10n.t('New Batch File'),
    placeholder: l10n.t('Select what to start from'),
    canGoBack: false,
    canFilter: true,
    items: [
      ...exampleKinds.map((kind) => ({ ...words[kind], value: kind })),
      { label: l10n.t('From Existing Data'), kind: vscode.QuickPickItemKind.Separator },
      start('newFromRows', 'table', l10n.t('Table…'), l10n.t('For each row of a CSV, TSV, JSON, or JSON Lines file')),
      start('newFromFiles', 'files', l10n.t('Files…'), l10n.t('A request for each file')),
      ...(hasSelection
        ? [
            start(
              'newFromSelection',
              'list-selection',
              l10n.t('Selection…'),
              l10n.t('A request for each line or paragraph'),
            ),
          ]
        : []),
    ],
  });
  if (answer.kind !== 'value') return;
  const { value } = answer;
  if (value === 'newFromRows' || value === 'newFromFiles' || value === 'newFromSelection')
    await runCommand(`inferenceDesk.batchFile.${value}`);
  else await openExample(value, catalogue);
}

async function openExample(kind: ExampleKind, catalogue: CatalogueState): Promise<void> {
  const content = exampleFile(kind, modelFor(kind, catalogue));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'jsonl', content }));
}

/** Returns a model that isn't known to lack what the example shows; any other if all lack it. */
function modelFor(kind: ExampleKind, catalogue: CatalogueState): string | undefined {
  const feature = {
    json: 'jsonMode',
    tools: 'tools',
    picture: 'images',
    question: undefined,
    system: undefined,
  } as const;
  const needed = feature[kind];
  const able = needed === undefined ? catalogue.models : catalogue.models.filter((model) => model[needed] !== false);
  return chooseModel('chat', { ...catalogue, models: able }) ?? chooseModel('chat', catalogue);
}

function exampleKindWords(): Readonly<Record<ExampleKind, { readonly label: string; readonly detail: string }>> {
  return {
    question: { label: l10n.t('Questions'), detail: l10n.t('Two requests with one question each') },
    system: {
      label: l10n.t('System prompt and questions'),
      detail: l10n.t('The same instructions before each question'),
    },
    json: { label: l10n.t('JSON responses'), detail: l10n.t('Classifies text with response_format') },
    tools: { label: l10n.t('A tool'), detail: l10n.t('A function that the model can call') },
    picture: { label: l10n.t('An image'), detail: l10n.t('Question about an image URL') },
  };
}
