import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { setContext } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import { once } from '../../../platform/once';
import type { ListRow } from '../../../platform/listRow';
import type { Services } from '../../../services/services';
import type { MediaRow } from '../logic/mediaRow';
import { isUnderWay } from '../logic/underWay';
import { createTreeView } from '../../../platform/notify';

export const mediaViewId = 'inferenceDesk.media';
const tickMs = 10_000;

/** The view of running jobs and generated files. Loads nothing until it becomes visible. */
export function createMediaView(services: Services): vscode.Disposable {
  const { media, log } = services;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<ListRow<MediaRow>[] | undefined>());
  const list = once(async () => (await import('./mediaList')).createMediaList(services));
  const read = async (): Promise<ListRow<MediaRow>[]> => {
    try {
      const rows = await (await list()).read();
      void setContext('inferenceDesk.mediaRows', rows.length > 0 ? 'rows' : 'empty');
      return [...rows];
    } catch (error) {
      log.warn(`${mediaViewId}: ${String(error)}`);
      void setContext('inferenceDesk.mediaRows', 'failed');
      return [];
    }
  };
  const view = store.add(
    createTreeView<ListRow<MediaRow>>(mediaViewId, {
      canSelectMany: true,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: (row) => (row ? [] : read()),
        getParent: () => undefined,
        getTreeItem: async (row) => (await list()).toItem(row),
        resolveTreeItem: async (item, row) => Object.assign(item, { tooltip: (await list()).tooltipOf(row) }),
      },
      dragAndDropController: {
        dropMimeTypes: [],
        dragMimeTypes: ['text/uri-list'],
        async handleDrag(rows, data) {
          const files = (await list()).dragged(rows);
          if (files !== undefined) data.set('text/uri-list', new vscode.DataTransferItem(files));
        },
      },
    }),
  );
  const show = () => {
    const count = media.jobs.filter(isUnderWay).length;
    view.badge = count === 0 ? undefined : { value: count, tooltip: underWayWords(count) };
    if (list.loaded) changed.fire(undefined);
  };
  store.add(media.onDidChange(show));
  store.add(media.onDidChangeAssets(show));
  let ticking: NodeJS.Timeout | undefined;
  const tick = () => {
    const rows = list.loaded?.ticking();
    if (rows?.length) changed.fire([...rows]);
  };
  const look = () => {
    clearInterval(ticking);
    if (view.visible) ticking = setInterval(tick, tickMs).unref();
  };
  store.add(view.onDidChangeVisibility(look));
  store.add({ dispose: () => clearInterval(ticking) });
  void setContext('inferenceDesk.mediaRows', 'loading');
  return store;
}

function underWayWords(count: number): string {
  return count === 1 ? l10n.t('1 job is in progress') : l10n.t('{0} jobs are in progress', count);
}
