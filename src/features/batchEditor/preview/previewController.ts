import type { PreviewRow } from '../../../core/batch/preview/previewRow';
import { withParts } from '../../../core/batch/services/batchServiceOf';
import { rulesOf } from '../../../core/profiles/vendorRules';
import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { listedModels } from '../../../core/batch/fileRules';
import type { PreviewLoaded, PreviewLine } from '../../../core/batch/preview/previewFile';
import type { Severity } from '../../../core/batch/problem';
import { foreign } from '../../../core/text/foreignText';
import { createDebounce } from '../../../platform/debounce';
import { bytesText, numberText } from '../../../platform/displayText';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { goToLine } from '../../../platform/goToLine';
import { panelIcon } from '../../../platform/panelIcon';
import { ScreenTabs, type ScreenTab } from '../../../platform/webview/screenTabs';
import { showScreen, type ScreenHost } from '../../../platform/webview/webviewHost';
import { CalledWorker, failureOf, WorkerReading } from '../../../platform/workerReading';
import {
  previewCalls,
  type BatchPreviewScreen,
  type PreviewNotices,
  type PreviewDetails,
  type PreviewSummary,
  type PreviewTableRow,
} from '../../../protocol/batchPreview';
import { done, type Handlers } from '../../../protocol/call';
import type { WireError } from '../../../protocol/wire';
import type { Services } from '../../../services/services';
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

/** Next to a text editor, so that both are visible, or otherwise the active column. */
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
  /** What the preview doesn't show of the file on disk, and of its document in the editor. */
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
    this.notices = { changed: false, missing: false, unsaved: this.isUnsaved };
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
    if (next.changed === before.changed && next.missing === before.missing && next.unsaved === before.unsaved) return;
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

const number = (value: number): string => numberText(value, vscode.env.language);
const size = (bytes: number): string => bytesText(bytes, vscode.env.language);

function summaryOf(loaded: PreviewLoaded): PreviewSummary {
  const { lines, holds } = loaded;
  const nothing = nothingText(loaded);
  return {
    lines,
    holds,
    facts: factsText(loaded),
    ...(nothing !== undefined && { nothing }),
    ...(!loaded.isWhole && { partial: l10n.t('Lines shown: {0}', number(lines)) }),
  };
}

function nothingText({ without }: PreviewLoaded): string | undefined {
  switch (without) {
    case undefined:
      return undefined;
    case 'file.empty':
      return l10n.t('The file is empty. Add one request per line.');
    case 'file.array':
      return l10n.t('This is a JSON array. Put one request per line.');
    case 'file.spread':
      return l10n.t('Put each request on a single line.');
    case 'file.not-text':
      return l10n.t("This isn't a UTF-8 text file.");
    case 'file.compressed':
      return l10n.t('Decompress the file first.');
  }
}

function factsText({ requests, models, model, bytes, holds }: PreviewLoaded): string {
  const answers = requests === 1 ? l10n.t('1 response') : l10n.t('{0} responses', number(requests));
  const requestsText = requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests));
  const count = holds === 'answers' ? answers : requestsText;
  const named = models > 1 ? l10n.t('{0} models', number(models)) : model;
  return [count, holds === 'answers' ? undefined : named, size(bytes)].filter(Boolean).join(' · ');
}

function rowOf({ bytes, messages, tokens, state, text, ...row }: PreviewRow): PreviewTableRow {
  const { line, customId, model, problems } = row;
  const count = messages ?? tokens;
  const words =
    state === 'blank' ? l10n.t('blank line') : state === 'unread' ? l10n.t('Long line. Select it to view.') : undefined;
  return {
    line,
    customId,
    model,
    problems,
    count: count === undefined ? '' : number(count),
    text: words ?? text,
    tone: words !== undefined || state === 'notJson' ? 'muted' : state === 'failed' ? 'failed' : 'plain',
    size: size(bytes),
  };
}

function detailsOf(line: number, read: PreviewLine): PreviewDetails {
  const { customId, model, messages, omitted, parameters, answer, raw, problems, moreProblems, isTooLong } = read;
  const note = isTooLong
    ? l10n.t("The line is longer than {0}, so it isn't displayed.", size(1 << 24))
    : raw
      ? l10n.t("The line isn't a JSON object, so it's shown unchanged.")
      : undefined;
  const shown = raw ? [{ role: '', ...raw }] : messages;
  const more = moreProblems === 0 ? [] : [{ severity: 'hint' as const, message: moreText(moreProblems) }];
  const failure = [answer?.status !== undefined && answer.status >= 400 ? answer.status : undefined, answer?.error];
  const failed = failure.filter((part) => part !== undefined).join(' · ');
  return {
    line,
    customId,
    model,
    problems: [...problems.map(({ severity, message }) => ({ severity, message })), ...more],
    messages: shown.map(({ role, text, cut }) => ({ role, text, ...(cut > 0 && { cut: cutText(cut) }) })),
    ...(omitted > 0 && { omitted: l10n.t('Messages omitted: {0}', number(omitted)) }),
    shownFirst: omitted > 0 ? 5 : messages.length,
    parameters: answer?.tokens === undefined ? parameters : [{ name: 'total_tokens', value: number(answer.tokens) }],
    ...(note !== undefined && { note }),
    ...(failed !== '' && { failure: failed }),
  };
}

function moreText(count: number): string {
  return count === 1 ? l10n.t('1 more problem') : l10n.t('{0} more problems', number(count));
}

function cutText(characters: number): string {
  return l10n.t('… {0} more characters. To see all, go to the line.', number(characters));
}

function readingText(bytes: number, total: number): string {
  return l10n.t('{0} of {1}', size(bytes), size(total));
}

function foundText(found: number): string {
  return found === 1 ? l10n.t('1 line found so far') : l10n.t('{0} lines found so far', number(found));
}

function countText(count: number, lines: number): string {
  return count === lines ? '' : l10n.t('{0} of {1} lines', number(count), number(lines));
}
