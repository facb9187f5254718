import * as vscode from 'vscode';
import { registerCommand } from '../../platform/contributions';
import type { CommandId } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { insertAtCursor } from '../../platform/insertAtCursor';
import type { Feature } from '../../services';
import { askForDefaults, askForFilter, searchForModel } from './modelPicks';
import { ModelsView } from './modelsView';

type RowCommand = Extract<CommandId, `inferenceDesk.models.${'copyId' | 'insertId' | 'setDefault' | 'pin' | 'unpin'}`>;

/** The Models view and what can be done with a model. */
export const modelsFeature: Feature = (services) => {
  const { models } = services;
  const store = new DisposableStore();
  const view = store.add(new ModelsView(models));
  const onRow = (command: RowCommand, act: (modelId: string) => PromiseLike<void>) =>
    store.add(
      registerCommand(services, command, async (row) => {
        const modelId = modelIdOf(row);
        if (modelId !== undefined) await act(modelId);
      }),
    );

  store.add(registerCommand(services, 'inferenceDesk.models.refresh', () => view.refresh()));
  store.add(registerCommand(services, 'inferenceDesk.models.filter', () => askForFilter(view)));
  store.add(registerCommand(services, 'inferenceDesk.models.clearFilter', async () => view.setFilter('')));
  store.add(registerCommand(services, 'inferenceDesk.models.markSeen', () => models.markLooked()));
  store.add(
    registerCommand(services, 'inferenceDesk.models.search', async () => {
      const modelId = await searchForModel(models);
      if (modelId !== undefined) await view.reveal(modelId);
    }),
  );
  onRow('inferenceDesk.models.copyId', (modelId) => vscode.env.clipboard.writeText(modelId));
  onRow('inferenceDesk.models.insertId', insertAtCursor);
  onRow('inferenceDesk.models.setDefault', (modelId) => askForDefaults(models, modelId));
  onRow('inferenceDesk.models.pin', (modelId) => models.setPinned(modelId, true));
  onRow('inferenceDesk.models.unpin', (modelId) => models.setPinned(modelId, false));
  return store;
};

/** A menu hands over the row; other extensions and keybindings may hand over anything. */
function modelIdOf(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || !('modelId' in row)) return undefined;
  return typeof row.modelId === 'string' ? row.modelId : undefined;
}
