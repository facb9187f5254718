import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Handlers } from '../../protocol/call';
import { createResponder, type Responder } from '../../protocol/responder';
import type { ScreenId, Screens } from '../../protocol/screens';
import type { OfPage, ToWebview } from '../../protocol/wire';
import { DisposableStore, type Disposable } from '../disposables';
import { describe } from '../errors/reportError';
import { toHtml } from './webviewHtml';
import { isLoaded, readMessage, type CallSchemas } from './webviewEnvelope';
import { knownLanguage } from '../../protocol/formats';

export interface ScreenOptions<Id extends ScreenId> {
  readonly screen: Id;
  readonly title: string;
  /** Where the page is shown. Defaults to an editor tab. */
  readonly location?: 'editor' | 'view';
  readonly webview: vscode.Webview;
  readonly extensionUri: vscode.Uri;
  readonly handlers: Handlers<Screens[Id]>;
  readonly calls: CallSchemas<Screens[Id]>;
  readonly log: vscode.LogOutputChannel;
  /** Folders with files that the page may show, in addition to its own script and style. */
  readonly folders?: readonly vscode.Uri[];
}

/** The host's end of a page that is shown. */
export interface ScreenHost<Id extends ScreenId> extends Disposable {
  tell: Responder<Screens[Id]>['tell'];
  /** Must be called when the page was hidden and thereby discarded: ends its pending calls. */
  forgetPage(): void;
  /** Sets the folders with files that the page may show. Reloads the page if one of them is new to it. */
  showFolders(folders: readonly vscode.Uri[]): void;
}

/** Loads a screen into a webview and answers its calls. The webview itself belongs to the caller. */
export function showScreen<Id extends ScreenId>(options: ScreenOptions<Id>): ScreenHost<Id> {
  const { webview, extensionUri, handlers, calls, log, folders = [] } = options;
  const store = new DisposableStore();
  const page = randomUUID();
  const post = (message: ToWebview) => {
    webview
      .postMessage({ ...message, page } satisfies OfPage<ToWebview>)
      .then(undefined, (error: unknown) => log.debug(`A page didn't accept a message: ${String(error)}`));
  };
  const describeAndLog = (error: unknown) => {
    const words = describe(error);
    if (words.kind === 'unexpected') log.error(error instanceof Error ? error : String(error));
    return words;
  };
  const answer = () => createResponder<Screens[Id]>(handlers, post, describeAndLog);
  let responder = answer();
  let lastId = 0;
  const forgetPage = () => {
    responder.dispose();
    responder = answer();
    lastId = 0;
  };

  const receive = (raw: unknown) => {
    const message = readMessage<Screens[Id]>(raw, calls);
    if (!message) {
      log.warn(`The page "${options.screen}" sent an invalid message, which was ignored.`);
      return;
    }
    // Messages that the previous page still sends concern something else.
    if (message.type === 'loaded' || message.page !== page) return;
    // Ids only increase until a page is reloaded, which can happen without it being hidden.
    if (message.type !== 'cancel') {
      if (message.id <= lastId) forgetPage();
      lastId = message.id;
    }
    if (message.type === 'misfit') {
      const error = describeAndLog(new TypeError(`The parameters of "${message.method}" do not fit.`));
      post({ type: 'error', id: message.id, error });
      return;
    }
    void responder.receive(message);
  };

  store.add({ dispose: () => responder.dispose() });
  store.add(webview.onDidReceiveMessage(receive));
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const html = pageOf(options, dist, page);
  fill(webview, { name: page, html, folders: [dist, ...folders] });

  return {
    tell: (name, data) => responder.tell(name, data),
    forgetPage,
    showFolders(shown) {
      if (!isAllowed(webview, shown)) fill(webview, { name: page, html, folders: [dist, ...shown] });
    },
    dispose: () => store.dispose(),
  };
}

interface Page {
  readonly name: string;
  readonly html: string;
  readonly folders: readonly vscode.Uri[];
}

/** Webviews that are loading a page, each with the page to load next. */
const loading = new WeakMap<vscode.Webview, { next?: Page }>();

/**
 * Loads a page into a webview. If the editor gets another page or other folders while it loads one, it may show the first one for good. So
 * this waits for that page, because the code that showed it may be disposed before it has loaded.
 */
function fill(webview: vscode.Webview, page: Page): void {
  const before = loading.get(webview);
  if (before) {
    before.next = page;
    return;
  }
  // The editor loads nothing if nothing has changed.
  if (webview.html === page.html && hasFolders(webview, page.folders)) return;
  const own: { next?: Page } = {};
  loading.set(webview, own);
  const listening = webview.onDidReceiveMessage((raw) => {
    if (!isLoaded(raw, page.name)) return;
    listening.dispose();
    loading.delete(webview);
    if (own.next) fill(webview, own.next);
  });
  if (!hasFolders(webview, page.folders))
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: page.folders };
  webview.html = page.html;
}

function hasFolders(
  { options: { enableScripts, localResourceRoots } }: vscode.Webview,
  folders: readonly vscode.Uri[],
): boolean {
  const names = (uris: readonly vscode.Uri[] = []) => [...new Set(uris.map(String))].toSorted().join('\n');
  return enableScripts === true && names(localResourceRoots) === names(folders);
}

function pageOf<Id extends ScreenId>(options: ScreenOptions<Id>, dist: vscode.Uri, page: string): string {
  const { screen, title, location = 'editor', webview } = options;
  const addressOf = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  return toHtml({
    screen,
    title,
    place: location,
    language: knownLanguage(vscode.env.language),
    page,
    nonce: randomBytes(18).toString('base64url'),
    cspSource: webview.cspSource,
    scriptUri: addressOf('webview.js'),
    styleUri: addressOf('webview.css'),
    translations: pageTranslations(),
  });
}

/** The build writes the pages' translations next to those of the host, which VS Code has loaded if there are any. */
function pageTranslations(): string | undefined {
  const { uri } = vscode.l10n;
  if (!uri) return undefined;
  const { dir, base } = path.parse(uri.fsPath);
  return readFileSync(path.join(dir, base.replace('bundle', 'pages')), 'utf8');
}

function isAllowed({ options: { localResourceRoots = [] } }: vscode.Webview, folders: readonly vscode.Uri[]): boolean {
  const allowed = new Set(localResourceRoots.map(String));
  return folders.every((uri) => allowed.has(String(uri)));
}
