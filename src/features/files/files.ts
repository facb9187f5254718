import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Feature, Services } from '../../services/services';
import { showMessage } from '../../platform/notify';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { lacksBatches } from '../../services/batches/batches';
import { createListView } from '../../services/lists/listView';
import type { ListView } from '../../services/lists/listView';
import { createRemoteList } from '../../services/lists/remoteList';
import type { RemoteList } from '../../services/lists/remoteList';
import { createFileRows } from './logic/fileRows';
import type { FileRow } from './logic/fileRows';

/** The Files view: uploads for batches and their purposes. */
export const filesFeature: Feature = (services) => {
  const store = new DisposableStore();
  const view: FilesView = store.add(createFilesView(services, (paths) => uploadInto(view, paths, services)));
  const contentOf = (row: unknown) => {
    const item = view.rows.itemOf(row);
    return item && { file: item.file.id, name: item.file.filename || item.file.id, bytes: item.file.bytes };
  };
  store.add(registerCommand(services, 'inferenceDesk.files.refresh', () => view.refresh()));
  store.add(registerCommand(services, 'inferenceDesk.files.showMore', () => view.rows.showMore()));
  store.add(
    registerCommand(services, 'inferenceDesk.files.upload', async (file, files) => {
      const { chooseUploads } = await import('./uploads');
      const paths = await chooseUploads(file, files);
      if (paths) await uploadInto(view, paths, services);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.files.submit', async (row, rows) => {
      const chosen = Array.isArray(rows) && rows.length > 0 ? (rows as readonly unknown[]) : [row];
      const files = chosen.flatMap((one) => view.rows.itemOf(one)?.file ?? []);
      if (files.length > 0) await runCommand('inferenceDesk.batches.submit', files[0], files);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.files.openContent', async (row) => {
      const content = contentOf(row);
      if (content) await (await services.contents()).open(content);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.files.saveContent', async (row) => {
      const content = contentOf(row);
      if (content) await (await services.contents()).saveAs(content);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.files.copyId', async (row) => {
      const item = view.rows.itemOf(row);
      if (item) await vscode.env.clipboard.writeText(item.file.id);
    }),
  );
  return store;
};

/** Uploads files, reveals the new row and offers the next step. */
async function uploadInto(view: FilesView, paths: readonly string[], services: Services): Promise<void> {
  const { uploadFiles, uploadSummary } = await import('./uploads');
  const end = await uploadFiles(paths, services);
  await view.refresh();
  const [first] = [...end.uploaded, ...end.reused];
  if (!first) return;
  await view.rows.reveal(first.file.id);
  const submit = l10n.t('Submit Batch…');
  const isOne = end.uploaded.length + end.reused.length === 1 && !lacksBatches(services.account.current);
  const chosen = await showMessage('information', uploadSummary(end), ...(isOne ? [submit] : []));
  if (chosen === submit) await runCommand('inferenceDesk.batches.submit', first.file);
}

/** The service's own default is 10. It has no paging, so "more" means a larger limit. */
const firstLimit = 50;
const growth = 4;

interface FilesView extends Disposable {
  readonly rows: ListView<FileRow>;
  /** Reloads the files and the batches created from them. Never rejects. */
  refresh(): Promise<void>;
}

/** `upload` receives the files dropped onto the view. */
function createFilesView(services: Services, upload: (paths: readonly string[]) => Promise<void>): FilesView {
  const { account, batchJobs, batchList } = services;
  const store = new DisposableStore();
  const list = store.add(createFileList(services));
  const toRows = createFileRows();
  const usesChanged = store.add(new vscode.EventEmitter<void>());
  store.add(batchList.onDidChange(() => usesChanged.fire()));
  store.add(batchJobs.onDidChange(() => usesChanged.fire()));
  const rows = store.add(
    createListView<RemoteFile, FileRow>(services, {
      viewId: 'inferenceDesk.files',
      rowsKey: 'inferenceDesk.filesRows',
      list,
      rowsOf({ items }) {
        const { items: batches, hasMore, readAt, error } = batchList.state;
        const complete = readAt !== undefined && error === undefined && !hasMore;
        const jobs = batchJobs.jobs.filter(({ profileId }) => profileId === account.current.id);
        return toRows(items, { batches, complete, jobs });
      },
      onDidChange: usesChanged.event,
      keyOf: ({ file }) => file.id,
      drawing: async () => (await import('./fileItem')).fileDrawing,
      dropped: dropTarget(services, upload),
      showMore: 'inferenceDesk.files.showMore',
    }),
  );
  store.add(
    list.onDidChange(({ readAt, loading }) => {
      // Loads what the files were used for once they are there.
      if (readAt !== undefined && !loading) void batchList.ensureFresh();
    }),
  );
  return {
    rows,
    refresh: async () => void (await Promise.all([rows.refresh(), batchList.refresh()])),
    dispose: () => store.dispose(),
  };
}

function createFileList({ profiles, connections }: Services): RemoteList<RemoteFile> {
  return createRemoteList<RemoteFile>({
    profiles,
    async load(rounds, signal) {
      const limit = firstLimit * growth ** rounds;
      const items = await (await connections.client()).files.list({ limit }, signal);
      return { items, hasMore: items.length >= limit };
    },
  });
}

/** Returns a drop target for files from the Explorer and from the operating system. */
export function dropTarget({ report }: Services, upload: (paths: readonly string[]) => Promise<void>) {
  return {
    // The Explorer provides a list of URIs, the operating system files.
    dropMimeTypes: ['text/uri-list', 'files'],
    async handleDrop(_row: unknown, data: vscode.DataTransfer) {
      try {
        const [{ pathsOf }, { droppedFiles }] = await Promise.all([
          import('./uploads'),
          import('../../platform/droppedFiles'),
        ]);
        const noFile = l10n.t('Drop batch files from the Explorer or your file manager.');
        await upload(pathsOf(await droppedFiles(data, l10n.t('Upload File'), noFile)));
      } catch (error) {
        await report(error);
      }
    },
  };
}
