import * as vscode from 'vscode';
import { createCaller } from '../../src/protocol/caller';
import type { Caller } from '../../src/protocol/caller';
import type { ScreenId, Screens } from '../../src/protocol/screens';
import type { OfPage, ToHost, ToWebview } from '../../src/protocol/wire';

export interface PageEnd<Id extends ScreenId> {
  readonly view: vscode.WebviewView;
  /** The same in an editor tab. */
  readonly panel: vscode.WebviewPanel;
  /** The current page. After `hide` and `show`, and when the host fills the view again, it is a new page without state. */
  readonly page: Caller<Screens[Id]>;
  /** Discards the page like VS Code, and reloads it when it is shown again. */
  hide(): void;
  show(): void;
  /** Stops automatic loading. The returned function loads the page. */
  holdLoading(): () => void;
}

const nameOf = (html: string): string | undefined => /data-page="([^"]*)"/.exec(html)?.[1];

/** Simulates the page of a webview without a page. Messages pass through JSON, as in VS Code. */
export function createPageEnd<Id extends ScreenId>(): PageEnd<Id> {
  const received = new vscode.EventEmitter<unknown>();
  const visibility = new vscode.EventEmitter<void>();
  const disposed = new vscode.EventEmitter<void>();
  const load = (html: string) => {
    const name = nameOf(html);
    return createCaller<Screens[Id]>((message: ToHost) =>
      received.fire(JSON.parse(JSON.stringify({ ...message, page: name }))),
    );
  };
  const end = { html: '', page: load(''), visible: true, isHeld: false };
  const finish = () => received.fire({ type: 'loaded', page: nameOf(end.html) });
  const webview: vscode.Webview = {
    options: {},
    get html() {
      return end.html;
    },
    set html(html) {
      end.html = html;
      end.page = load(html);
      if (!end.isHeld) finish();
    },
    cspSource: 'https://page.example',
    onDidReceiveMessage: received.event,
    asWebviewUri: (uri) => uri,
    async postMessage({ page, ...message }: OfPage<ToWebview>) {
      if (end.visible && page === nameOf(end.html)) end.page.receive(JSON.parse(JSON.stringify(message)) as ToWebview);
      return end.visible;
    },
  };
  return {
    view: {
      viewType: 'inferenceDesk.chat',
      webview,
      get visible() {
        return end.visible;
      },
      onDidChangeVisibility: visibility.event,
      onDidDispose: disposed.event,
      show: () => {},
    },
    panel: {
      viewType: 'inferenceDesk.page',
      title: '',
      options: {},
      viewColumn: undefined,
      active: true,
      visible: true,
      webview,
      onDidChangeViewState: new vscode.EventEmitter<vscode.WebviewPanelOnDidChangeViewStateEvent>().event,
      onDidDispose: disposed.event,
      reveal: () => {},
      dispose: () => disposed.fire(),
    },
    get page() {
      return end.page;
    },
    hide() {
      end.visible = false;
      visibility.fire();
    },
    show() {
      end.page = load(end.html);
      end.visible = true;
      visibility.fire();
    },
    holdLoading() {
      end.isHeld = true;
      return finish;
    },
  };
}
