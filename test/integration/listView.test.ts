import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ApiError } from '../../src/core/api/errors';
import { createListView } from '../../src/services/lists/listView';
import type { RemoteListState } from '../../src/services/lists/remoteList';
import type { Services } from '../../src/services/services';
import { deskServices } from '../support/deskServices';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

type Provider = vscode.TreeDataProvider<unknown>;

const empty: RemoteListState<string> = {
  session: 'signedIn',
  items: [],
  hasMore: false,
  readAt: undefined,
  loading: false,
  error: undefined,
};

describe('a row with an open menu', function () {
  this.timeout(120_000);
  let services: Services;
  let folder: string;
  before(async () => {
    services = await deskServices();
    folder = mkdtempSync(path.join(tmpdir(), 'rows-'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });

  /** A list view whose editor is this test: what it is asked for and told, and a list whose reading ends when told. */
  const open = () => {
    const { window } = vscode;
    const original = window.createTreeView;
    const news: unknown[] = [];
    let provider: Provider | undefined;
    let messages = 0;
    let text = '';
    window.createTreeView = ((_id: string, options: { readonly treeDataProvider: Provider }) => {
      provider = options.treeDataProvider;
      const shown = new vscode.EventEmitter<unknown>();
      const dispose = () => shown.dispose();
      const view = { visible: true, onDidChangeVisibility: shown.event, dispose };
      return Object.defineProperty(view, 'message', {
        get: () => text,
        set(message: string) {
          messages++;
          text = message;
        },
      });
    }) as typeof original;
    const changed = new vscode.EventEmitter<RemoteListState<string>>();
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    let state = empty;
    const tell = (items: readonly string[], error?: unknown, hasMore = false) => {
      state = { ...empty, items, readAt: 1, error, hasMore };
      changed.fire(state);
    };
    const read = async () => {
      await ended;
      return state;
    };
    const list = {
      get state() {
        return state;
      },
      onDidChange: changed.event,
      follow: () => ({ dispose: () => undefined }),
      ensureFresh: read,
      refresh: read,
      showMore: read,
      dispose: () => changed.dispose(),
    };
    try {
      const view = createListView<string, string>(services, {
        viewId: 'inferenceDesk.voices',
        rowsKey: 'inferenceDesk.voicesRows',
        list,
        rowsOf: ({ items }) => items,
        keyOf: (row) => row,
        drawing: async () => ({
          toItem: (row) => new vscode.TreeItem(row),
          tooltipOf: () => new vscode.MarkdownString(),
        }),
      });
      ok(provider);
      provider.onDidChangeTreeData?.((row) => news.push(row));
      return { provider, news, tell, view, end, messages: () => messages, message: () => text };
    } finally {
      window.createTreeView = original;
    }
  };
  const namesOf = async (provider: Provider, rows: Promise<unknown>) => {
    const items = await Promise.all(((await rows) as unknown[]).map(async (row) => provider.getTreeItem(row)));
    return items.map(({ label }) => label);
  };

  it("doesn't make VS Code load the first rows twice", async () => {
    const { provider, news, tell, view, end, messages } = open();
    const asked = Promise.resolve(provider.getChildren());
    tell(['a', 'b']);
    tell(['a', 'b', 'c']);
    deepEqual([await namesOf(provider, asked), news], [['a', 'b', 'c'], []]);
    equal(messages(), 0);
    tell(['a']);
    end();
    deepEqual([await namesOf(provider, Promise.resolve(provider.getChildren())), news], [['a'], [undefined]]);
    view.dispose();
  });

  it("is marked outdated if it can't be reloaded; an empty list shows the welcome text", async () => {
    const { tell, view, message } = open();
    const error = new ApiError({ kind: 'network', message: 'gone', sent: true });
    tell([], error);
    tell(['a'], error);
    await until(() => (message() === '' ? undefined : true), 'words of the error');
    match(message(), /Last loaded: /);
    tell([], error);
    equal(message(), '');
    view.dispose();
  });

  it('is marked incomplete if only the first rows are loaded', async () => {
    const { tell, view, message } = open();
    tell(['a', 'b'], undefined, true);
    await until(() => (message() === '' ? undefined : true), 'the message');
    equal(message(), 'Showing only the first 2.');
    tell(['a', 'b']);
    equal(message(), '');
    view.dispose();
  });

  it('is not replaced by the file of the active tab if the menu lost it', async () => {
    const show = async (name: string) => {
      const file = path.join(folder, name);
      writeFileSync(file, `${requestLine('a', 'Hello', { model: 'm' })}\n`);
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    };
    const pages = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);
    await show('active.jsonl');
    let isOver = false;
    const run = vscode.commands.executeCommand('inferenceDesk.files.submit', undefined, undefined);
    void run.then(() => (isOver = true));
    // It ends with the notice that tells of it.
    await until(async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      return isOver || undefined;
    }, 'the end of the command');
    await show('other.jsonl');
    // The title of a view passes the focused row and the selection, and neither in a new window.
    await vscode.commands.executeCommand('inferenceDesk.batches.submit', undefined, undefined);
    await until(() => pages().includes('Submit other.jsonl') || undefined, 'the page of a file that is meant');
    deepEqual(pages(), ['active.jsonl', 'other.jsonl', 'Submit other.jsonl']);
  });
});
