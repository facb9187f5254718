import * as vscode from 'vscode';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature, Services } from '../../services/services';
import type { BatchEditorRuntime } from './batchEditorRuntime';
import { registerMaking } from './making/makingCommands';
import { registerPreview } from './preview/previewCommands';

/** Editing support for batch files. Loaded when the first JSON Lines file is opened. */
export const batchEditorFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./batchEditorRuntime')).createBatchEditor(services));
  const look = ({ languageId }: vscode.TextDocument) => {
    if (languageId !== 'jsonl') return;
    load().catch((error: unknown) => services.log.error('Batch files are not checked.', error));
  };

  for (const document of vscode.workspace.textDocuments) look(document);
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.treatAsBatch', async () => (await load()).decideActive(true)),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.treatAsOther', async () => (await load()).decideActive(false)),
  );
  store.add(registerCommand(services, 'inferenceDesk.batchFile.showReport', async () => (await load()).showReport()));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.readableLines', async (file) =>
      (await load()).toggleReadable(file),
    ),
  );
  store.add(registerMaking(services));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.editLine', async (uri, line) => {
      await (await load()).editLine(uri, line);
    }),
  );
  store.add(services.entryPoints.handle('lineFiles', async () => (await load()).lines));
  const fixes = ['makeIdsUnique', 'numberIds', 'setModel', 'removeMark', 'convertLines'] as const;
  for (const name of fixes) {
    store.add(registerCommand(services, `inferenceDesk.batchFile.${name}`, async () => (await load()).fix(name)));
  }
  store.add(registerPreview(services));
  registerTrialCommands(services, load).forEach((command) => store.add(command));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.check', async (file, files) =>
      (await load()).diskCheck.run(file, files),
    ),
  );
  return store;
};

function registerTrialCommands(
  services: Services,
  load: () => Promise<BatchEditorRuntime>,
): readonly vscode.Disposable[] {
  return [
    registerCommand(services, 'inferenceDesk.batchFile.tryLine', async (file, line) =>
      (await load()).trials.tryLine(file, line),
    ),
    registerCommand(services, 'inferenceDesk.batchFile.tryAgain', async () => (await load()).trials.runAgain()),
    registerCommand(services, 'inferenceDesk.batchFile.stopTrying', async () => (await load()).trials.stop()),
    registerCommand(services, 'inferenceDesk.batchFile.goToTriedLine', async () => (await load()).trials.goToLine()),
    registerCommand(services, 'inferenceDesk.batchFile.takeTrialStep', async (id) =>
      (await load()).trials.takeStep(id),
    ),
  ];
}
