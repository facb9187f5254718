import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { exampleFile, exampleKinds } from '../../../core/batch/making/examples';
import type { ExampleKind } from '../../../core/batch/making/examples';
import { chooseModel } from '../../../core/catalogue/jobs';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import { askPick } from '../../../platform/quickInput';

/** Opens a small example batch file as an untitled document. */
export async function newFromExample(catalogue: CatalogueState): Promise<void> {
  const words = exampleKindWords();
  const answer = await askPick<ExampleKind>({
    title: l10n.t('New Batch File'),
    placeholder: l10n.t('What should it begin with?'),
    canGoBack: false,
    items: exampleKinds.map((kind) => ({ ...words[kind], value: kind })),
  });
  if (answer.kind !== 'value') return;
  const content = exampleFile(answer.value, modelFor(answer.value, catalogue));
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
    question: { label: l10n.t('Questions'), detail: l10n.t('Two requests with a question each') },
    system: {
      label: l10n.t('System prompt and questions'),
      detail: l10n.t('The same instructions before each question'),
    },
    json: { label: l10n.t('Answers as JSON'), detail: l10n.t('Classifies texts, with response_format') },
    tools: { label: l10n.t('A tool'), detail: l10n.t('A function the model may call') },
    picture: { label: l10n.t('A picture'), detail: l10n.t('A question about an image at an address') },
  };
}
