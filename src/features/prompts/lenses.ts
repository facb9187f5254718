import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Settings } from '../../platform/settings';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { isWritable, promptSelector } from './promptFiles';
import { codeLens } from '../../platform/notify';

/** Shows the ways to run a prompt file above its first line. */
export function registerPromptLenses(settings: Settings): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(settings.onDidChange((name) => name === 'batch.lenses' && changed.fire()));
  store.add(
    vscode.languages.registerCodeLensProvider(promptSelector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: ({ uri }) => (settings.get('batch.lenses') && isWritable(uri) ? lensesFor(uri) : []),
    }),
  );
  return store;
}

function lensesFor(uri: vscode.Uri): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string, tooltip: string) =>
    codeLens(top, { title, command, tooltip, arguments: [uri] });
  return [
    lens(l10n.t('Run'), 'inferenceDesk.prompts.run', l10n.t('Ask it in a new conversation of the chat')),
    lens(l10n.t('Compare'), 'inferenceDesk.prompts.compare', l10n.t('Ask several models at once')),
    lens(
      l10n.t('To Batch Line…'),
      'inferenceDesk.prompts.addBatchLine',
      l10n.t('Add its request to a batch file as the last line'),
    ),
    lens(
      l10n.t('To Batch File from Rows…'),
      'inferenceDesk.prompts.newFromRows',
      l10n.t('Make a request of each row of a table or JSON file'),
    ),
  ];
}
