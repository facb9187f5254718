import { withParts } from '../../../core/batch/services/batchServiceOf';
import { rulesOf } from '../../../core/profiles/vendorRules';
import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { listedModels } from '../../../core/batch/fileRules';
import type { PreviewLoaded } from '../../../core/batch/preview/previewFile';
import type { Severity } from '../../../core/batch/problem';
import { foreign } from '../../../core/text/foreignText';
import { createDebounce } from '../../../platform/debounce';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { goToLine } from '../../../platform/goToLine';
import { panelIcon } from '../../../platform/panelIcon';
import { ScreenTabs, type ScreenTab } from '../../../platform/webview/screenTabs';
import { showScreen, type ScreenHost } from '../../../platform/webview/webviewHost';
import { CalledWorker, failureOf, WorkerReading } from '../../../platform/workerReading';
import { previewCalls, type BatchPreviewScreen, type PreviewNotices } from '../../../protocol/batchPreview';
import { done, type Handlers } from '../../../protocol/call';
import type { WireError } from '../../../protocol/wire';
import type { Services } from '../../../services/services';
import { countText, detailsOf, foundText, readingText, rowOf, summaryOf } from './previewWords';
import type { PreviewWorkerCalls, PreviewWorkerData } from './previewWorkerCalls';

/** The open previews, one per file. */
export interface Previews extends Disposable {
  open(uri: vscode.Uri): Promise<void>;
  /** Restores a preview after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createPreviews(services: Services): Previews {
  const tabs = new ScreenTabs<PreviewController>(services.context.workspaceState, 'batchPreview.files');
  const show = (tab: ScreenTab, uri: vscode.Uri) => tabs.add(uri.toString(), new PreviewController(services, tab, uri));
  return {
    async open(uri) {
      if (uri.scheme !== 'file') {
        throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save the document first.'));
      }
      const known = tabs.get(uri.toString());
      if (known) return known.tab.panel.reveal();
      const tab = tabs.newTab(vscode.window.createWebviewPanel('inferenceDesk.batchPreview', '', freeColumn()));
      // Nothing is awaited before this, so a second command reveals this preview.
      show(tab, uri);
      await tabs.store(tab.id, uri.toString());
    },
    restore(panel, state) {
      const tab = tabs.restored(panel, state, 'previewId');
      const uri = tab && tabs.stored(tab.id);
      if (typeof uri !== 'string' || !tab || tabs.get(uri)) panel.dispose();
      else show(tab, vscode.Uri.parse(uri));
    },
    dispose: () => tabs.dispose(),
  };
}

/** Beside a text editor, so that both are visible; otherwise the active column. */
function freeColumn(): vscode.ViewColumn {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof vscode.TabInputText ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}

/** A file is often written in several steps, so its changes are debounced. */
const settleMs = 200;
/** Smaller files are reloaded without asking, because that takes no noticeable time. */
const readAtOnceBytes = 20_000_000;

/** The preview of a file in a tab. Must be disposed when the tab is closed. */
export class PreviewController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly host: ScreenHost<'batchPreview'>;
  private readonly reading: WorkerReading<PreviewWorkerCalls, PreviewLoaded>;
  private readonly looks = this.store.add(createDebounce(settleMs));
  private readonly name: string;
  /** What the preview does not show of the file on disk, and of its document in the editor. */
  private notices: PreviewNotices;
  private lines = 0;

  constructor(
    services: Services,
    readonly tab: ScreenTab,
    private readonly uri: vscode.Uri,
  ) {
    const { store } = this;
    const { panel } = tab;
    this.name = path.basename(uri.fsPath);
    this.notices = { changed: false, gone: false, unsaved: this.isUnsaved };
    const title = l10n.t('Preview {0}', foreign(this.name));
    panel.title = title;
    panel.iconPath = panelIcon(services.context.extensionUri, 'preview');
    this.reading = store.add(
      new WorkerReading<PreviewWorkerCalls, PreviewLoaded>(
        () => openPreviewWorker(services, uri.fsPath),
        (worker, options) => worker.call('load', {}, options),
      ),
    );
    this.host = store.add(
      showScreen({
        screen: 'batchPreview',
        title,
        webview: panel.webview,
        extensionUri: services.context.extensionUri,
        handlers: this.handlers(),
        calls: previewCalls,
        log: services.log,
      }),
    );
    store.add(panel.onDidChangeViewState(() => !panel.visible && this.host.forgetPage()));
    this.watch();
  }

  dispose(): void {
    this.store.dispose();
  }

  private handlers(): Handlers<BatchPreviewScreen> {
    const { reading, uri, tab } = this;
    return {
      'preview/ready': async () => ({ previewId: tab.id, name: this.name, notices: this.notices }),
      'preview/load': async ({ again }, { signal, emit }) => {
        const onProgress = (bytes: number, total: number) =>
          emit({ part: bytes / Math.max(1, total), text: readingText(bytes, total) });
        if (again) this.notice({ changed: false, gone: false });
        const loaded = await reading.load(again, onProgress, signal);
        this.lines = loaded.lines;
        return summaryOf(loaded);
      },
      'preview/stop': async () => done(reading.stop()),
      'preview/arrange': async (view, { signal, emit }) => {
        const onChunk = ({ found, part }: { readonly found: number; readonly part: number }) =>
          emit({ part, count: found, text: foundText(found) });
        const { count } = await reading.call('arrange', view, { signal, onChunk });
        return { count, text: countText(count, this.lines) };
      },
      'preview/rows': async (range) => {
        const { rows, isChanged } = await reading.call('rows', range);
        if (isChanged) this.lookSoon();
        return { rows: rows.map(rowOf) };
      },
      'preview/find': async ({ line }) => reading.call('find', { line }),
      'preview/line': async ({ line }) => detailsOf(line, await reading.call('line', { line })),
      'preview/goTo': async ({ line }) => done(goToLine(uri, line, tab.panel.viewColumn)),
    };
  }

  private get isUnsaved(): boolean {
    return vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.toString() === this.uri.toString());
  }

  private watch(): void {
    const { store, uri } = this;
    const watched = new vscode.RelativePattern(vscode.Uri.file(path.dirname(uri.fsPath)), path.basename(uri.fsPath));
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(watched));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      store.add(event(() => this.lookSoon()));
    const lookAtDocument = (document: vscode.TextDocument) => {
      if (document.uri.toString() === uri.toString()) this.notice({});
    };
    store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookAtDocument(document)));
    store.add(vscode.workspace.onDidSaveTextDocument(lookAtDocument));
    store.add(vscode.workspace.onDidCloseTextDocument(lookAtDocument));
  }

  /** The file on disk may no longer be the one shown. */
  private lookSoon(): void {
    this.looks.start('file', () => void this.look());
  }

  private async look(): Promise<void> {
    const found = await stat(this.uri.fsPath).catch(() => undefined);
    if (!found) this.notice({ changed: false, gone: true });
    else if (found.size <= readAtOnceBytes) this.host.tell('preview/stale', {});
    else this.notice({ changed: true, gone: false });
  }

  private notice(change: { readonly changed?: boolean; readonly gone?: boolean }): void {
    const before = this.notices;
    const next = { ...before, ...change, unsaved: this.isUnsaved };
    if (next.changed === before.changed && next.gone === before.gone && next.unsaved === before.unsaved) return;
    this.notices = next;
    this.host.tell('preview/notices', next);
  }
}

function openPreviewWorker(
  { account, context, settings, models, connections }: Services,
  file: string,
): CalledWorker<PreviewWorkerCalls> {
  const rules = withParts(rulesOf(account.current.baseUrl).batch, connections.statedOfBatches());
  const data: PreviewWorkerData = {
    path: file,
    severities: severities({
      ...rules.severities,
      ...settings.get('batch.severities'),
    }),
    models: listedModels(models.state.models),
    rules,
    translations: vscode.l10n.bundle,
  };
  return openReader(vscode.Uri.joinPath(context.extensionUri, 'dist', 'previewWorker.js'), data);
}

/** Maps the severities to the three levels of the preview. */
function severities(set: Readonly<Record<string, string>>): Readonly<Record<string, Severity | null>> {
  const known: Readonly<Record<string, Severity | null>> = {
    error: 'error',
    warning: 'warning',
    information: 'hint',
    hint: 'hint',
    off: null,
  };
  return Object.fromEntries(Object.entries(set).map(([code, severity]) => [code, known[severity] ?? 'hint']));
}

/** Opens a worker that holds one file. Its calls reject with localized messages. */
export function openReader(script: vscode.Uri, data: PreviewWorkerData): CalledWorker<PreviewWorkerCalls> {
  return new CalledWorker<PreviewWorkerCalls>(script, data, worded);
}

function worded(error: WireError): Error {
  switch (error.kind) {
    case 'ENOENT':
      return new UserError(l10n.t('The file no longer exists'), l10n.t('The file has been moved or deleted.'));
    case 'EISDIR':
      return new UserError(l10n.t("This isn't a file"), l10n.t('Open a batch file first.'));
    default:
      return failureOf(error);
  }
}
