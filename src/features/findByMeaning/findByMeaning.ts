import * as vscode from 'vscode';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services/services';
import type { FindController } from './findController';

/** Finds passages of the workspace's files by meaning. Loaded at first use. */
export const findByMeaningFeature: Feature = (services) => {
  const store = new DisposableStore();
  let loading: Promise<FindController> | undefined;
  const load = (): Promise<FindController> => {
    loading ??= import('./findController').then(({ createFindController }) =>
      store.add(createFindController(services)),
    );
    return loading;
  };
  store.add(registerCommand(services, 'inferenceDesk.findByMeaning', async (question) => (await load()).ask(question)));
  // For other extensions, which report errors themselves.
  const run = 'inferenceDesk.findByMeaning.run';
  store.add(vscode.commands.registerCommand(run, async (request: unknown) => (await load()).run(request)));
  return store;
};
