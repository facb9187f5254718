import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature, Services } from '../../services/services';
import { createFilesView } from './filesView';
import type { FilesView } from './filesView';
import { showMessage } from '../../platform/notify';

/** The Files view: what was uploaded for batches and what it was used for. */
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
      const { chooseUploads } = await import('./upload/chooseUploads');
      const paths = await chooseUploads(file, files);
      if (paths) await uploadInto(view, paths, services);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.files.openContent', async (row) => {
      const content = contentOf(row);
      if (content) await services.contents.open(content);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.files.saveContent', async (row) => {
      const content = contentOf(row);
      if (content) await services.contents.saveAs(content);
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
  const [{ uploadFiles }, { endWords }] = await Promise.all([import('./upload/uploads'), import('./upload/endWords')]);
  const end = await uploadFiles(paths, services);
  await view.refresh();
  const [first] = [...end.uploaded, ...end.reused];
  if (!first) return;
  await view.rows.reveal(first.file.id);
  const submit = vscode.l10n.t('Submit Batch…');
  const isOne = end.uploaded.length + end.reused.length === 1;
  const chosen = await showMessage('information', endWords(end), ...(isOne ? [submit] : []));
  if (chosen === submit) await runCommand('inferenceDesk.batches.submit', first.file);
}
