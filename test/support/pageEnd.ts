import * as vscode from 'vscode';
import { createCaller } from '../../src/protocol/caller';
import type { Caller } from '../../src/protocol/caller';
import type { ScreenId, Screens } from '../../src/protocol/screens';
import type { ToHost, ToWebview } from '../../src/protocol/wire';

export interface PageEnd<Id extends ScreenId> {
  readonly view: vscode.WebviewView;
  /** The page as it is now. After `hide` and `show` it is another one, that knows nothing. */
  readonly page: Caller<Screens[Id]>;
  /** As the editor does: the page is thrown away, and loaded anew when it is seen again. */
  hide(): void;
  show(): void;
}

/** The page's end of a webview view, without a page: what is posted goes through JSON, as in the editor. */
export function createPageEnd<Id extends ScreenId>(): PageEnd<Id> {
  const received = new vscode.EventEmitter<unknown>();
  const visibility = new vscode.EventEmitter<void>();
  const disposed = new vscode.EventEmitter<void>();
  const load = () => createCaller<Screens[Id]>((message: ToHost) => received.fire(JSON.parse(JSON.stringify(message))));
  const end = { page: load(), visible: true };
  const webview: vscode.Webview = {
    options: {},
    html: '',
    cspSource: 'https://page.example',
    onDidReceiveMessage: received.event,
    asWebviewUri: (uri) => uri,
    async postMessage(message: ToWebview) {
      if (end.visible) end.page.receive(JSON.parse(JSON.stringify(message)) as ToWebview);
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
    get page() {
      return end.page;
    },
    hide() {
      end.visible = false;
      visibility.fire();
    },
    show() {
      end.page = load();
      end.visible = true;
      visibility.fire();
    },
  };
}
