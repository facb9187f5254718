import * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import { isUnderWay } from '../../core/batch/state/batchReading';
import type { BatchRow } from '../../services/batches/batchRow';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createListView } from '../../services/lists/listView';
import type { ListView } from '../../services/lists/listView';
import type { Services } from '../../services/services';
import { badgeOf } from './batchBadge';
import { createBatchRows } from './batchRows';

export interface BatchesView extends Disposable {
  readonly rows: ListView<BatchRow>;
}

/** When the user last saw the ended batches, in Unix milliseconds. */
const seenKey = 'batchesSeenAt';

/** Shows the service's list merged with the local jobs, and updates automatically when these change. */
export function createBatchesView(services: Services): BatchesView {
  const { batchJobs, batchList, context, costs, log, profiles } = services;
  const store = new DisposableStore();
  const toRows = createBatchRows();
  const own = () => batchJobs.jobs.filter(({ profileId }) => profileId === profiles.active?.id);
  const rows = store.add(
    createListView<Batch, BatchRow>(services, {
      viewId: 'inferenceDesk.batches',
      rowsKey: 'inferenceDesk.batchesRows',
      list: batchList,
      rowsOf: ({ items, readAt }) => toRows({ batches: items, readAt, jobs: own(), costs }),
      onDidChange: (show) => vscode.Disposable.from(batchJobs.onDidChange(show), costs.onDidChange(show)),
      keyOf: ({ key }) => key,
      drawing: async () => (await import('./batchDrawing')).batchDrawing,
      below: ({ retries = [] }) => retries,
      ticks: ({ batch, retries = [] }) => [{ batch }, ...retries].some((one) => one.batch && isUnderWay(one.batch)),
      showMore: 'inferenceDesk.batches.showMore',
    }),
  );

  const { globalState } = context;
  const seen = () => void globalState.update(seenKey, Date.now());
  const show = () => {
    const badge = badgeOf(own(), globalState.get<number>(seenKey) ?? Date.now());
    if (rows.visible && badge?.hasEnded) seen();
    rows.setBadge(rows.visible ? badgeOf(own(), Date.now()) : badge);
  };
  const look = () => {
    if (rows.visible) void costs.ready();
    if (rows.visible) batchJobs.ready().catch((error: unknown) => log.warn(`Batches: ${String(error)}`));
    show();
  };
  store.add(rows.onDidChangeVisibility(look));
  store.add(batchJobs.onDidChange(show));
  store.add(profiles.onDidChange(show));
  // Batches that ended before this machine first had the view do not count as new.
  if (globalState.get<number>(seenKey) === undefined) seen();
  show();
  return { rows, dispose: () => store.dispose() };
}
