import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { panelIcon } from '../../../platform/panelIcon';
import { showScreen } from '../../../platform/webview/webviewHost';
import type { Handlers } from '../../../protocol/call';
import {
  previewCalls,
  type BatchPreviewScreen,
  type PreviewNotices,
  type PreviewDetails,
  type PreviewSummary,
  type PreviewTableRow,
} from '../../../protocol/batchPreview';
import type { Services } from '../../../services/services';
import { goToLine } from '../../../platform/goToLine';
import { foreign } from '../../../core/text/foreignText';
import { stat } from 'node:fs/promises';
import { createDebounce } from '../../../platform/debounce';
import { listedModels } from '../../../core/batch/fileRules';
import type { PreviewLoaded, PreviewLine } from '../../../core/batch/preview/previewFile';
import type { Severity } from '../../../core/batch/problem';
import { UserError } from '../../../platform/errors/userError';
import {
  createWorkerReading,
  failureOf,
  openWorker,
  type CalledWorker,
  type Progress,
} from '../../../platform/workerReading';
import type { WireError } from '../../../protocol/wire';
import type { PreviewWorkerCalls, PreviewWorkerData } from './previewWorkerCalls';
import type { PreviewRow } from '../../../core/batch/preview/previewRow';
import { bytesText, numberText } from '../../../platform/displayText';

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
      calls: previewCalls,
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

/** A file is often written in several steps, so its changes are debounced. */
const settleMs = 200;
/** Smaller files are reloaded without asking, because that takes no noticeable time. */
const readAtOnceBytes = 20_000_000;

interface NoticeBoard extends Disposable {
  readonly current: PreviewNotices;
  /** Reports that the file on disk is no longer the one shown. */
  changed(): void;
  /** Clears the notices because the file was read again. */
  reset(): void;
}

interface NoticeOptions {
  readonly uri: vscode.Uri;
  readonly tell: (notices: PreviewNotices) => void;
  /** Called if the file changed and is small enough to be reloaded at once. */
  readonly onStale: () => void;
}

/** Watches the file on disk and its document in the editor for changes the preview does not show. */
function createNoticeBoard({ uri, tell, onStale }: NoticeOptions): NoticeBoard {
  const store = new DisposableStore();
  const pauses = store.add(createDebounce(settleMs));
  let state = { changed: false, gone: false };
  const isUnsaved = () =>
    vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.toString() === uri.toString());
  let unsaved = isUnsaved();
  const set = (next: typeof state) => {
    const nowUnsaved = isUnsaved();
    if (next.changed === state.changed && next.gone === state.gone && nowUnsaved === unsaved) return;
    state = next;
    unsaved = nowUnsaved;
    tell({ ...state, unsaved });
  };
  const look = async () => {
    const found = await stat(uri.fsPath).catch(() => undefined);
    if (!found) set({ changed: false, gone: true });
    else if (found.size <= readAtOnceBytes) onStale();
    else set({ changed: true, gone: false });
  };
  const watched = new vscode.RelativePattern(vscode.Uri.file(path.dirname(uri.fsPath)), path.basename(uri.fsPath));
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(watched));
  const lookSoon = () => pauses.start('file', () => void look());
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(lookSoon));
  const lookAtDocument = (document: vscode.TextDocument) => {
    if (document.uri.toString() === uri.toString()) set(state);
  };
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookAtDocument(document)));
  store.add(vscode.workspace.onDidSaveTextDocument(lookAtDocument));
  store.add(vscode.workspace.onDidCloseTextDocument(lookAtDocument));
  return {
    get current() {
      return { ...state, unsaved };
    },
    changed: lookSoon,
    reset: () => set({ changed: false, gone: false }),
    dispose: () => store.dispose(),
  };
}

/** The file of a preview, read on first request, whether or not a page is there to show it. */
interface PreviewSource extends Disposable {
  /** Resolves once the file is read or reading was stopped. `again` reads it from scratch. */
  load(again: boolean, onProgress: Progress, signal: AbortSignal): Promise<PreviewLoaded>;
  stop(): void;
  readonly call: CalledWorker<PreviewWorkerCalls>['call'];
}

function createPreviewSource(services: Services, uri: vscode.Uri): PreviewSource {
  const { context, settings, models } = services;
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'previewWorker.js');
  const reading = createWorkerReading<PreviewWorkerCalls, PreviewLoaded>((reader, options) =>
    reader.call('load', {}, options),
  );
  const open = () => {
    return openReader(script, {
      path: uri.fsPath,
      severities: severities(settings.get('batch.severities')),
      models: listedModels(models.state.models),
      translations: vscode.l10n.bundle,
    });
  };
  return { ...reading, load: (again, onProgress, signal) => reading.load(open, { again, onProgress, signal }) };
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
  return openWorker<PreviewWorkerCalls>({ script, data, worded });
}

function worded(error: WireError): Error {
  switch (error.kind) {
    case 'ENOENT':
      return new UserError(
        vscode.l10n.t('The file is not there any more'),
        vscode.l10n.t('It was moved or deleted. Put it back, or open the preview of another file.'),
      );
    case 'EISDIR':
      return new UserError(
        vscode.l10n.t('This is not a file'),
        vscode.l10n.t('Open the preview of a file whose lines are requests.'),
      );
    default:
      return failureOf(error);
  }
}

const { l10n } = vscode;
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
    ...(!loaded.isWhole && { partial: l10n.t('The first {0} lines are shown.', number(lines)) }),
  };
}

function nothingText({ without }: PreviewLoaded): string | undefined {
  switch (without) {
    case undefined:
      return undefined;
    case 'file.empty':
      return l10n.t('The file is empty. A batch file holds one request per line.');
    case 'file.array':
      return l10n.t(
        'This file is one JSON array. A batch file holds one request per line, without brackets around them.',
      );
    case 'file.spread':
      return l10n.t('The requests of this file go over several lines. A batch file has each request in one line.');
    case 'file.not-text':
      return l10n.t('This is not a text file in UTF-8, so there are no lines to show.');
  }
}

function factsText({ requests, models, model, bytes, holds }: PreviewLoaded): string {
  const answers = requests === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', number(requests));
  const asked = requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests));
  const count = holds === 'answers' ? answers : asked;
  const named = models > 1 ? l10n.t('{0} models', number(models)) : model;
  return [count, holds === 'answers' ? undefined : named, size(bytes)].filter(Boolean).join(' · ');
}

function rowOf({ bytes, messages, tokens, state, text, ...row }: PreviewRow): PreviewTableRow {
  const { line, customId, model, problems } = row;
  const count = messages ?? tokens;
  const words =
    state === 'blank'
      ? l10n.t('blank line')
      : state === 'unread'
        ? l10n.t('A long line: select it to read it')
        : undefined;
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
    ? l10n.t('This line is longer than {0} and is not read here.', size(1 << 24))
    : raw
      ? l10n.t('This line is not a JSON object. It is shown as it stands.')
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
    ...(omitted > 0 && { omitted: l10n.t('{0} messages are left out here.', number(omitted)) }),
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
  return l10n.t('… {0} more characters. Go to the line to read them.', number(characters));
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
