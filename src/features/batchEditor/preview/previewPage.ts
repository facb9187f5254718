import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { panelIcon } from '../../../platform/panelIcon';
import { showScreen } from '../../../platform/webview/webviewHost';
import type { Handlers } from '../../../protocol/call';
import { previewCalls, type BatchPreviewScreen } from '../../../protocol/batchPreview';
import type { Services } from '../../../services/services';
import { createNoticeBoard } from './previewNotices';
import type { NoticeBoard } from './previewNotices';
import { createPreviewSource } from './previewSource';
import type { PreviewSource } from './previewSource';
import { goToLine } from '../../../platform/goToLine';
import { countText, detailsOf, foundText, readingText, rowOf, summaryOf } from './previewWords';
import { foreign } from '../../../core/text/foreignText';

export interface PreviewPageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly uri: vscode.Uri;
  /** Identifies the file after a reload. */
  readonly previewId: string;
}

/** Fills a tab with the preview of a file. Must be disposed when the tab is closed. */
export function showPreview(options: PreviewPageOptions): Disposable {
  const { services, panel, uri } = options;
  const store = new DisposableStore();
  const name = path.basename(uri.fsPath);
  const title = vscode.l10n.t('Preview {0}', foreign(name));
  panel.title = title;
  panel.iconPath = panelIcon(services.context.extensionUri, 'preview');
  const source = store.add(createPreviewSource(services, uri));
  const board = store.add(
    createNoticeBoard({
      uri,
      tell: (notices) => host.tell('preview/notices', notices),
      onStale: () => host.tell('preview/stale', {}),
    }),
  );
  const host = store.add(
    showScreen({
      screen: 'batchPreview',
      title,
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      handlers: handlersOf(options, source, board),
      params: previewCalls,
      log: services.log,
    }),
  );
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  return store;
}

function handlersOf(
  { panel, uri, previewId }: PreviewPageOptions,
  source: PreviewSource,
  board: NoticeBoard,
): Handlers<BatchPreviewScreen> {
  const name = path.basename(uri.fsPath);
  let lines = 0;
  return {
    'preview/ready': async () => ({ previewId, name, notices: board.current }),
    async 'preview/load'({ again }, { signal, emit }) {
      const onProgress = (bytes: number, total: number) =>
        emit({ part: bytes / Math.max(1, total), text: readingText(bytes, total) });
      if (again) board.reset();
      const loaded = await source.load(again, onProgress, signal);
      lines = loaded.lines;
      return summaryOf(loaded);
    },
    async 'preview/stop'() {
      source.stop();
      return {};
    },
    async 'preview/arrange'(view, { signal, emit }) {
      const onChunk = ({ found, part }: { readonly found: number; readonly part: number }) =>
        emit({ part, count: found, text: foundText(found) });
      const { count } = await source.call('arrange', view, { signal, onChunk });
      return { count, text: countText(count, lines) };
    },
    async 'preview/rows'(wanted) {
      const { rows, isChanged } = await source.call('rows', wanted);
      if (isChanged) board.changed();
      return { rows: rows.map(rowOf) };
    },
    'preview/find': async ({ line }) => source.call('find', { line }),
    'preview/line': async ({ line }) => detailsOf(line, await source.call('line', { line })),
    async 'preview/goTo'({ line }) {
      await goToLine(uri, line, panel.viewColumn);
      return {};
    },
  };
}
