import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import { batchRowOf, type BatchRow } from '../../services/batches/batches';
import { registerCommand } from '../../platform/contributions';
import type { CommandId } from '../../platform/commands';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import type { Feature, Services } from '../../services/services';
import type { batchActions } from './batchActions';
import { isUnderWay, endedAt } from '../../core/batch/state/batchState';
import { createListView, type ListView } from '../../services/lists/listView';
import { createBatchRows } from './logic/batchRows';
import type { BatchJob } from '../../services/batches/batches';
import { listText } from '../../protocol/formats';

type CopyCommand = Extract<CommandId, `inferenceDesk.batches.copy${string}`>;

const copied: Readonly<Record<CopyCommand, (batch: Batch) => string | undefined>> = {
  'inferenceDesk.batches.copyId': ({ id }) => id,
  'inferenceDesk.batches.copyInput': ({ inputFileId }) => inputFileId,
  'inferenceDesk.batches.copyOutput': ({ outputFileId }) => outputFileId,
  'inferenceDesk.batches.copyErrors': ({ errorFileId }) => errorFileId,
};

const actions: readonly (keyof typeof batchActions)[] = [
  'cancel',
  'stopParts',
  'watch',
  'checkNow',
  'createAgain',
  'fetchResults',
  'linkInput',
  'cleanUp',
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
      if (item) await (await import('./rowTexts')).openInput(item, services);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batches.showErrors', async (row) => {
      const item = itemOf(row);
      if (!item) return;
      const { showErrors } = await import('./rowTexts');
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

interface BatchesView extends Disposable {
  readonly rows: ListView<BatchRow>;
}

/** When the user last saw the ended batches, in Unix milliseconds. */
const seenKey = 'batchesSeenAt';

/** Shows the service's list merged with the local jobs, and updates automatically when these change. */
function createBatchesView(services: Services): BatchesView {
  const { account, batchJobs, batchList, context, costs, log, profiles } = services;
  const store = new DisposableStore();
  const toRows = createBatchRows();
  const own = () => batchJobs.jobs.filter(({ profileId }) => profileId === account.current.id);
  const rows = store.add(
    createListView<Batch, BatchRow>(services, {
      viewId: 'inferenceDesk.batches',
      rowsKey: 'inferenceDesk.batchesRows',
      list: batchList,
      rowsOf: ({ items, readAt }) =>
        toRows({ batches: items, readAt, jobs: own(), baseUrl: account.current.baseUrl, costs }),
      onDidChange: (show) => vscode.Disposable.from(batchJobs.onDidChange(show), costs.onDidChange(show)),
      keyOf: ({ key }) => key,
      drawing: async () => (await import('./batchDrawing')).batchDrawing,
      below: ({ retries = [] }) => retries,
      // Several batches can be compared.
      canSelectMany: true,
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
    if (rows.visible) batchJobs().catch((error: unknown) => log.warn(`Batches: ${String(error)}`));
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

interface BatchBadge extends vscode.ViewBadge {
  /** Whether a batch ended that the user has not seen. */
  readonly hasEnded: boolean;
}

/** Counts the jobs that ended after `seenAt` (Unix milliseconds), or else those in progress; `undefined` if there are none. */
export function badgeOf(jobs: readonly BatchJob[], seenAt: number): BatchBadge | undefined {
  const ended = jobs.filter(({ batch }) => batch && !isUnderWay(batch) && (endedAt(batch) ?? 0) > seenAt).length;
  const running = jobs.filter(({ batch }) => batch && isUnderWay(batch)).length;
  if (ended + running === 0) return undefined;
  const words = [
    ended === 1 ? l10n.t('1 batch has ended') : ended > 1 && l10n.t('{0} batches have ended', ended),
    running === 1 ? l10n.t('1 batch is in progress') : running > 1 && l10n.t('{0} batches are in progress', running),
  ];
  return { value: ended || running, tooltip: listText(words, env.language), hasEnded: ended > 0 };
}
