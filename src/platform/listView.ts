import * as vscode from 'vscode';
import type { Client } from '../core/api/client';
import { isApiError } from '../core/api/errors';
import { ageWords } from './age';
import type { Connections } from './connections';
import { setContext } from './contributions';
import type { CommandId, ContextKeys, RowsState, ViewId } from './contributions';
import { DisposableStore } from './disposables';
import type { Disposable } from './disposables';
import { describe } from './reportError';
import type { Profiles } from './profiles';
import { createRemoteList } from './remoteList';
import type { RemoteListState } from './remoteList';

type RowsKey = Extract<keyof ContextKeys, `inferenceDesk.${'files' | 'batches' | 'voices'}Rows`>;

export interface ListViewServices {
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly log: vscode.LogOutputChannel;
}

export interface ListViewOptions<T> {
  readonly viewId: ViewId;
  /** Tells the view's welcome texts what there is. */
  readonly rowsKey: RowsKey;
  /** `rounds` is how often more was asked for: 0 at first. */
  readonly load: (
    client: Client,
    rounds: number,
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }>;
  /** Must set an `id` that stays over a refresh. */
  readonly toItem: (item: T, now: number) => vscode.TreeItem;
  /** Where the list can have more than was read. */
  readonly showMore?: CommandId;
}

/** A flat view of what the service keeps for the account: read when looked at, kept when a refresh fails. */
export interface ListView<T> extends Disposable {
  /** Asks also what the service was found not to offer. */
  refresh(): Promise<void>;
  showMore(): Promise<void>;
  /** The row a command was called on; `undefined` for anything else. */
  itemOf(row: unknown): T | undefined;
}

class Row<T> {
  constructor(readonly item: T) {}
}
class MoreRow {}

export function createListView<T>(services: ListViewServices, options: ListViewOptions<T>): ListView<T> {
  const { profiles, connections, log } = services;
  const store = new DisposableStore();
  const list = store.add(
    createRemoteList<T>({
      profiles,
      load: async (rounds, signal) => options.load(await connections.client(), rounds, signal),
    }),
  );
  const changed = store.add(new vscode.EventEmitter<void>());
  const provider: vscode.TreeDataProvider<Row<T> | MoreRow> = {
    onDidChangeTreeData: changed.event,
    async getChildren(parent) {
      if (parent) return [];
      const { readAt, error } = list.state;
      const { items, hasMore } = readAt === undefined && error === undefined ? await list.ensureFresh() : list.state;
      return [...items.map((item) => new Row(item)), ...(hasMore && options.showMore ? [new MoreRow()] : [])];
    },
    getTreeItem: (row) => (row instanceof Row ? options.toItem(row.item, Date.now()) : toMoreItem(options.showMore)),
  };
  const view = store.add(vscode.window.createTreeView(options.viewId, { treeDataProvider: provider }));
  const show = (state: RemoteListState<T>) => {
    void setContext(options.rowsKey, rowsStateOf(state));
    if (state.loading) return;
    view.message = messageOf(state);
    changed.fire();
  };
  show(list.state);
  const withBar = <R>(work: () => Promise<R>) =>
    vscode.window.withProgress({ location: { viewId: options.viewId } }, work);
  const look = () => {
    if (view.visible) void list.ensureFresh();
  };
  store.add(list.onDidChange(show));
  store.add(view.onDidChangeVisibility(look));
  store.add(connections.onDidChange(look));

  return {
    async refresh() {
      const { active } = profiles;
      if (active && isNotOffered(list.state.error)) await connections.forgetOffers(active.id);
      const { error } = await withBar(() => list.refresh());
      if (error !== undefined) log.warn(`${options.viewId} could not be read: ${describe(error).title}`);
    },
    showMore: async () => void (await withBar(() => list.showMore())),
    itemOf: (row) => (row instanceof Row ? (row.item as T) : undefined),
    dispose: () => store.dispose(),
  };
}

function toMoreItem(command: CommandId | undefined): vscode.TreeItem {
  const label = vscode.l10n.t('Show more…');
  const item = new vscode.TreeItem(label);
  item.id = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  if (command) item.command = { command, title: label };
  return item;
}

function isNotOffered(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notOffered';
}

function rowsStateOf<T>({ items, error, readAt, loading }: RemoteListState<T>): RowsState {
  if (items.length > 0) return 'rows';
  if (loading) return 'loading';
  if (error !== undefined) return isNotOffered(error) ? 'notOffered' : 'failed';
  return readAt === undefined ? 'loading' : 'empty';
}

/** Says above the rows how old they are when they could not be read again, or why there are none. */
function messageOf<T>({ items, error, readAt }: RemoteListState<T>): string {
  if (error === undefined || isNotOffered(error)) return '';
  const { title, detail } = describe(error);
  if (items.length === 0 || readAt === undefined) return `${title}. ${detail}`;
  return vscode.l10n.t('{0}. Last read: {1}.', title, ageWords(readAt, Date.now(), vscode.env.language));
}
