import path from 'node:path';
import * as vscode from 'vscode';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';
import type { LocalRuns } from './localRuns';
import { createUnfinishedRuns } from './logic/unfinishedRuns';

/** Runs batch files on this machine, request by request. Loaded when the first is run, or if one was left unfinished. */
export const batchLocalFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { context, log } = services;
  const unfinished = createUnfinishedRuns(path.join(context.globalStorageUri.fsPath, 'localRuns'));
  const load = onceDisposable(store, async () => (await import('./localRuns')).createLocalRuns(services, unfinished));
  const run = (work: (runs: LocalRuns) => unknown) => async () => void (await work(await load()));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.runLocally', async (file) => (await load()).runFile(file)),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.resumeLocal', async (folder) => (await load()).goOn(folder)),
  );
  store.add(
    registerCommand(
      services,
      'inferenceDesk.batchFile.pauseLocal',
      run((runs) => runs.pause()),
    ),
  );
  store.add(
    registerCommand(
      services,
      'inferenceDesk.batchFile.continueLocal',
      run((runs) => runs.resume()),
    ),
  );
  store.add(
    registerCommand(
      services,
      'inferenceDesk.batchFile.stopLocal',
      run((runs) => runs.stop()),
    ),
  );
  store.add(
    registerCommand(
      services,
      'inferenceDesk.batchFile.showLocal',
      run((runs) => runs.show()),
    ),
  );

  const offer = async (isOffered: (input: string) => boolean) => {
    const offered = (await unfinished.list()).filter(({ input }) => isOffered(input));
    if (offered.length > 0) await (await load()).offer(offered);
  };
  const onError = (error: unknown) => log.warn(`Unfinished runs of batch files were not offered: ${String(error)}`);
  offer(isOfThisWindow).catch(onError);
  store.add(
    vscode.workspace.onDidOpenTextDocument(({ languageId, uri }) => {
      if (languageId === 'jsonl' && uri.scheme === 'file') offer((input) => input === uri.fsPath).catch(onError);
    }),
  );
  return store;
};

/** Whether the file is in an open workspace folder, or open itself. */
function isOfThisWindow(input: string): boolean {
  const uri = vscode.Uri.file(input);
  const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.fsPath === uri.fsPath);
  return isOpen || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}
