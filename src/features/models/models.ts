import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../platform/contributions';
import type { CommandId } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import { insertAtCursor } from '../../platform/workspace/insertAtCursor';
import type { Feature } from '../../services/services';
import { ModelsView } from './modelsView';

type RowCommand = Extract<
  CommandId,
  `inferenceDesk.models.${'copyId' | 'insertId' | 'useInChat' | 'useInImages' | 'useInVideos' | 'setDefault' | 'pin' | 'unpin'}`
>;

/** The Models view and the commands on a model. */
export const modelsFeature: Feature = (services) => {
  const { models } = services;
  const store = new DisposableStore();
  const picks = () => import('./modelPicks');
  const view = store.add(new ModelsView(models, services.settings, services.log));
  const onRow = (command: RowCommand, act: (modelId: string) => PromiseLike<void>) =>
    store.add(
      registerCommand(services, command, async (row) => {
        const modelId = modelIdOf(row);
        if (modelId !== undefined) await act(modelId);
      }),
    );

  store.add(registerCommand(services, 'inferenceDesk.models.refresh', () => view.refresh()));
  store.add(registerCommand(services, 'inferenceDesk.models.filter', async () => (await picks()).askForFilter(view)));
  store.add(registerCommand(services, 'inferenceDesk.models.clearFilter', async () => view.setFilter('')));
  store.add(registerCommand(services, 'inferenceDesk.models.markSeen', () => models.markLooked()));
  store.add(
    registerCommand(services, 'inferenceDesk.models.search', async () => {
      const modelId = await (await picks()).searchForModel(models);
      if (modelId !== undefined) await view.reveal(modelId);
    }),
  );
  onRow('inferenceDesk.models.copyId', (modelId) => vscode.env.clipboard.writeText(modelId));
  onRow('inferenceDesk.models.insertId', insertAtCursor);
  onRow('inferenceDesk.models.setDefault', async (modelId) => (await picks()).askForDefaults(models, modelId));
  onRow('inferenceDesk.models.useInChat', (model) => runCommand('inferenceDesk.chat.new', { model }));
  onRow('inferenceDesk.models.useInImages', (model) => runCommand('inferenceDesk.images.open', { as: 'form', model }));
  onRow('inferenceDesk.models.useInVideos', (model) => runCommand('inferenceDesk.videos.open', { as: 'form', model }));
  onRow('inferenceDesk.models.pin', (modelId) => models.setPinned(modelId, true));
  onRow('inferenceDesk.models.unpin', (modelId) => models.setPinned(modelId, false));
  return store;
};

/** A menu passes the row; other extensions and keybindings may pass anything. */
function modelIdOf(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || !('modelId' in row)) return undefined;
  return typeof row.modelId === 'string' ? row.modelId : undefined;
}
