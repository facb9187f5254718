import * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import { batchRowOf } from '../../services/batches/batchRow';
import { registerCommand } from '../../platform/contributions';
import type { CommandId } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services/services';
import type { batchActions } from './batchActions';
import { createBatchesView } from './batchesView';

type CopyCommand = Extract<CommandId, `inferenceDesk.batches.copy${string}`>;

const copied: Readonly<Record<CopyCommand, (batch: Batch) => string | undefined>> = {
  'inferenceDesk.batches.copyId': ({ id }) => id,
  'inferenceDesk.batches.copyInput': ({ inputFileId }) => inputFileId,
  'inferenceDesk.batches.copyOutput': ({ outputFileId }) => outputFileId,
  'inferenceDesk.batches.copyErrors': ({ errorFileId }) => errorFileId,
};

const actions: readonly (keyof typeof batchActions)[] = [
  'cancel',
  'watch',
  'checkNow',
  'createAgain',
  'fetchResults',
  'linkInput',
  'forget',
];

/** The Batches view: submitted, running and ended batches. */
export const batchesFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { rows } = store.add(createBatchesView(services));
  const itemOf = (row: unknown) => (typeof row === 'string' ? rows.itemOf(row) : batchRowOf(row));
  store.add(registerCommand(services, 'inferenceDesk.batches.refresh', () => rows.refresh()));
  store.add(registerCommand(services, 'inferenceDesk.batches.showMore', () => rows.showMore()));
  for (const action of actions) {
    store.add(
      registerCommand(services, `inferenceDesk.batches.${action}`, async (row) => {
        const item = itemOf(row);
        if (!item) return;
        const { takeAction } = await import('./batchActions');
        await rows.withBar(() => takeAction(action, item, services));
      }),
    );
  }
  store.add(
    registerCommand(services, 'inferenceDesk.batches.openInput', async (row) => {
      const item = itemOf(row);
      if (item) await (await import('./openInput')).openInput(item, services);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batches.showErrors', async (row) => {
      const item = itemOf(row);
      if (!item) return;
      const { showErrors } = await import('./showErrors');
      await showErrors(item, services);
    }),
  );
  for (const command of Object.keys(copied) as CopyCommand[]) {
    store.add(
      registerCommand(services, command, async (row) => {
        const batch = itemOf(row)?.batch;
        const text = batch && copied[command](batch);
        if (text) await vscode.env.clipboard.writeText(text);
      }),
    );
  }
  return store;
};
