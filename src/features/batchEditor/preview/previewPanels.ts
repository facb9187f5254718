import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import { showPreview } from './previewPage';

const previewType = 'inferenceDesk.batchPreview';
const filesKey = 'batchPreview.files';
/** Older entries are dropped: their tabs were closed long ago. */
const mostFiles = 50;

/** The open previews, one per file. */
export interface PreviewPanels extends Disposable {
  open(uri: vscode.Uri): Promise<void>;
  /** Restores a preview after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createPreviewPanels(services: Services): PreviewPanels {
  const { workspaceState } = services.context;
  const open = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: Disposable }>();
  /** The file of each preview. The page only stores an id because it could not be trusted with a path. */
  const files = () => workspaceState.get<Readonly<Record<string, string>>>(filesKey, {});

  /** Requesting a preview twice opens it once. */
  const opening = new Map<string, Promise<void>>();

  const show = (panel: vscode.WebviewPanel, uri: vscode.Uri, previewId: string) => {
    const key = uri.toString();
    const page = showPreview({ services, panel, uri, previewId });
    open.set(key, { panel, page });
    panel.onDidDispose(() => {
      page.dispose();
      open.delete(key);
    });
  };
  const create = async (uri: vscode.Uri): Promise<void> => {
    const previewId = randomUUID();
    const kept = Object.entries(files()).slice(1 - mostFiles);
    await workspaceState.update(filesKey, Object.fromEntries([...kept, [previewId, uri.toString()]]));
    const panel = vscode.window.createWebviewPanel(previewType, '', freeColumn());
    show(panel, uri, previewId);
  };
  return {
    async open(uri) {
      if (uri.scheme !== 'file') {
        throw new UserError(
          vscode.l10n.t('There is no file on disk to show'),
          vscode.l10n.t('Save the document first: the preview reads from disk.'),
        );
      }
      const key = uri.toString();
      const known = open.get(key);
      if (known) return known.panel.reveal();
      const creating = opening.get(key) ?? create(uri).finally(() => opening.delete(key));
      opening.set(key, creating);
      await creating;
    },
    restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'previewId' in state ? state.previewId : undefined;
      const known = files();
      const uri = typeof id === 'string' && Object.hasOwn(known, id) ? known[id] : undefined;
      if (typeof id !== 'string' || uri === undefined || open.has(uri)) panel.dispose();
      else show(panel, vscode.Uri.parse(uri), id);
    },
    dispose() {
      for (const { page } of open.values()) page.dispose();
    },
  };
}

/** Beside a text editor, so that both are visible; otherwise the active column. */
function freeColumn(): vscode.ViewColumn {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof vscode.TabInputText ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}
