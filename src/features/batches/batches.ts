import * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import { registerCommand } from '../../platform/contributions';
import type { CommandId } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { createListView } from '../../platform/listView';
import type { Feature } from '../../services';
import { toBatchItem } from './batchItem';
import { loadBatches } from './loadBatches';

type CopyCommand = Extract<CommandId, `inferenceDesk.batches.copy${string}`>;

const copied: Readonly<Record<CopyCommand, (batch: Batch) => string | undefined>> = {
  'inferenceDesk.batches.copyId': ({ id }) => id,
  'inferenceDesk.batches.copyInput': ({ inputFileId }) => inputFileId,
  'inferenceDesk.batches.copyOutput': ({ outputFileId }) => outputFileId,
  'inferenceDesk.batches.copyErrors': ({ errorFileId }) => errorFileId,
};

/** The Batches view: what runs and what ran. */
export const batchesFeature: Feature = (services) => {
  const store = new DisposableStore();
  const view = store.add(
    createListView<Batch>(services, {
      viewId: 'inferenceDesk.batches',
      rowsKey: 'inferenceDesk.batchesRows',
      load: loadBatches,
      toItem: toBatchItem,
      showMore: 'inferenceDesk.batches.showMore',
    }),
  );
  store.add(registerCommand(services, 'inferenceDesk.batches.refresh', () => view.refresh()));
  store.add(registerCommand(services, 'inferenceDesk.batches.showMore', () => view.showMore()));
  for (const command of Object.keys(copied) as CopyCommand[]) {
    store.add(
      registerCommand(services, command, async (row) => {
        const batch = view.itemOf(row);
        const text = batch && copied[command](batch);
        if (text) await vscode.env.clipboard.writeText(text);
      }),
    );
  }
  return store;
};
