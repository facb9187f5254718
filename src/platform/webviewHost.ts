import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Handlers } from '../protocol/call';
import { createResponder } from '../protocol/responder';
import type { Responder } from '../protocol/responder';
import type { ScreenId, Screens } from '../protocol/screens';
import type { ToWebview } from '../protocol/wire';
import { DisposableStore } from './disposables';
import type { Disposable } from './disposables';
import { describe } from './reportError';
import { readMessage } from './webviewEnvelope';
import type { ParamSchemas } from './webviewEnvelope';
import { toHtml } from './webviewHtml';

export interface ScreenOptions<Id extends ScreenId> {
  readonly screen: Id;
  readonly title: string;
  readonly webview: vscode.Webview;
  readonly extensionUri: vscode.Uri;
  readonly strings: Screens[Id]['strings'];
  readonly handlers: Handlers<Screens[Id]>;
  readonly params: ParamSchemas<Screens[Id]>;
  readonly log: vscode.LogOutputChannel;
}

/** The host's end of a page that is shown. */
export interface ScreenHost<Id extends ScreenId> extends Disposable {
  tell: Responder<Screens[Id]>['tell'];
  /** To be called when the page was hidden and with that thrown away: what it asked for is ended. */
  forgetPage(): void;
}

/** Fills a webview with a screen and answers it. The webview itself belongs to the caller. */
export function showScreen<Id extends ScreenId>(options: ScreenOptions<Id>): ScreenHost<Id> {
  const { webview, extensionUri, handlers, params, log } = options;
  const store = new DisposableStore();
  const post = (message: ToWebview) => {
    webview
      .postMessage(message)
      .then(undefined, (error: unknown) => log.debug(`A page took no message: ${String(error)}`));
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
    const message = readMessage<Screens[Id]>(raw, params);
    if (!message) {
      log.warn(`The page "${options.screen}" sent something that does not fit its contract. It was ignored.`);
      return;
    }
    // Ids only rise within a page. One that was used before is of a page that was loaded anew without being hidden.
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
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
  webview.html = toHtml({
    screen: options.screen,
    title: options.title,
    language: vscode.env.language,
    nonce: randomBytes(18).toString('base64url'),
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.js')).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.css')).toString(),
    strings: options.strings,
  });

  return { tell: (name, data) => responder.tell(name, data), forgetPage, dispose: () => store.dispose() };
}
