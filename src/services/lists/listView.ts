import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { Connections } from '../account/connections';
import { setContext } from '../../platform/contributions';
import type { CommandId } from '../../platform/commands';
import type { ContextKeys, RowsState, ViewId } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { emptyReason } from './emptyReason';
import { lazy } from '../../platform/lazy';
import { DetailRow, itemOfRow, ListRow } from '../../platform/listRow';
import type { Profiles } from '../account/profiles';
import type { RemoteList, RemoteListState } from './remoteList';
import { createTreeView, treeItem, withProgress } from '../../platform/notify';

type RowsKey = Extract<keyof ContextKeys, `inferenceDesk.${'files' | 'batches' | 'voices'}Rows`>;

export interface ListViewServices {
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly log: vscode.LogOutputChannel;
}

/** What rows look like. */
export interface RowDrawing<R> {
  readonly toItem: (row: R, now: number) => vscode.TreeItem;
  /** Asked for when someone looks at it. */
  readonly tooltipOf: (row: R, now: number) => vscode.MarkdownString;
  /** The rows below one whose item is collapsible. */
  readonly detailsOf?: (row: R, now: number) => readonly vscode.TreeItem[];
}

export interface ListViewOptions<T, R> {
  readonly viewId: ViewId;
  /** Tells the view's welcome texts what there is. */
  readonly rowsKey: RowsKey;
  /** What is read from the service. Whoever made it disposes it. */
  readonly list: RemoteList<T>;
  /** What to show of it; a row that did not change is the same object again. */
  readonly rowsOf: (state: RemoteListState<T>) => readonly R[];
  /** Other things the rows tell of have changed. */
  readonly onDidChange?: vscode.Event<void>;
  /** Stays over a refresh, and is the `id` of the row's item. */
  readonly keyOf: (row: R) => string;
  /** Rows of the same kind that are shown below a row, before what its drawing has there. */
  readonly below?: (row: R) => readonly R[];
  /** Loaded when there is a row to draw. */
  readonly drawing: () => Promise<RowDrawing<R>>;
  /** Whether its item says something else as time goes by; while one does and is looked at, the list is read each minute. */
  readonly ticks?: (row: R, now: number) => boolean;
  readonly dropped?: Pick<vscode.TreeDragAndDropController<unknown>, 'dropMimeTypes' | 'handleDrop'>;
  /** Where the list can have more than was read. */
  readonly showMore?: CommandId;
}

/** A view of what the service keeps for the account: read when looked at, kept when a refresh fails. */
export interface ListView<R> extends Disposable {
  /** Asks also what the service was found not to offer. */
  refresh(): Promise<void>;
  showMore(): Promise<void>;
  /** What a command was called on: a row, one below it, or a row's key. `undefined` for anything else. */
  itemOf(rowOrKey: unknown): R | undefined;
  readonly items: readonly R[];
  /** Scrolls to a row and selects it, where it is there; the focus stays. */
  reveal(key: string): Promise<void>;
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  setBadge(badge: vscode.ViewBadge | undefined): void;
  /** Shows in the view that something goes on. */
  withBar<X>(work: () => Promise<X>): Thenable<X>;
}

class MoreRow {}
type Row<R> = ListRow<R> | DetailRow<R> | MoreRow;

const tickMs = 30_000;
/** The editor is told of so many rows one by one; of more it reads all. */
const mostToldAlone = 50;

export function createListView<T, R>(services: ListViewServices, options: ListViewOptions<T, R>): ListView<R> {
  return new RowsView(services, options);
}

class RowsView<T, R> implements ListView<R> {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<Row<R>[] | undefined>());
  private readonly view: vscode.TreeView<Row<R>>;
  private readonly more = new MoreRow();
  private rows: ReadonlyMap<string, ListRow<R>> = new Map();
  private readonly rowsBelow = new Map<string, ListRow<R>>();
  private hasMore = false;
  /** Set while the editor waits for the first rows: gives it those that have come. */
  private give: (() => void) | undefined;
  private readonly trouble = lazy(() => import('./listErrorText'), {
    onLoaded: () => this.show(),
    onTrouble: (error) => this.services.log.error(String(error)),
  });

  readonly onDidChangeVisibility;

  constructor(
    private readonly services: ListViewServices,
    private readonly options: ListViewOptions<T, R>,
  ) {
    const { store } = this;
    const { dropped, list, viewId } = options;
    this.view = store.add(
      createTreeView<Row<R>>(viewId, {
        treeDataProvider: this.provider(),
        ...(dropped && { dragAndDropController: { ...dropped, dragMimeTypes: [] } }),
      }),
    );
    this.onDidChangeVisibility = this.view.onDidChangeVisibility;
    const look = () => {
      if (this.view.visible) void list.ensureFresh();
    };
    this.show();
    store.add(list.onDidChange(() => this.show()));
    if (options.onDidChange) store.add(options.onDidChange(() => this.show()));
    store.add(this.view.onDidChangeVisibility(look));
    store.add(services.connections.onDidChange(look));
    const timer = setInterval(() => this.tick(), tickMs);
    timer.unref();
    store.add({ dispose: () => clearInterval(timer) });
  }

  get items(): readonly R[] {
    return Array.from(this.rows.values(), ({ item }) => item);
  }

  get visible(): boolean {
    return this.view.visible;
  }

  async refresh(): Promise<void> {
    const { profiles, connections, log } = this.services;
    const { list, viewId } = this.options;
    if (profiles.active && isNotOffered(list.state.error)) await connections.forgetOffers(profiles.active.id);
    const { error } = await this.withBar(() => list.refresh());
    if (error === undefined) return;
    const { describe } = await import('../../platform/errors/reportError');
    log.warn(`${viewId} could not be read: ${describe(error).title}`);
  }

  async showMore(): Promise<void> {
    await this.withBar(() => this.options.list.showMore());
  }

  itemOf(rowOrKey: unknown): R | undefined {
    if (typeof rowOrKey === 'string') return (this.rows.get(rowOrKey) ?? this.rowsBelow.get(rowOrKey))?.item;
    return itemOfRow(rowOrKey) as R | undefined;
  }

  async reveal(key: string): Promise<void> {
    const row = this.rows.get(key);
    if (row && this.view.visible) await this.view.reveal(row, { select: true, focus: false });
  }

  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.view.badge = badge;
  }

  dispose(): void {
    this.store.dispose();
  }

  private provider(): vscode.TreeDataProvider<Row<R>> {
    const { options } = this;
    return {
      onDidChangeTreeData: this.changed.event,
      getChildren: async (parent) => {
        if (parent instanceof ListRow) {
          const { detailsOf } = await options.drawing();
          const details = (detailsOf?.(parent.item, Date.now()) ?? []).map((item) => new DetailRow(parent, item));
          return [...(options.below?.(parent.item) ?? []).map((item) => this.rowBelow(item)), ...details];
        }
        if (parent) return [];
        const { readAt, error } = options.list.state;
        const first = readAt === undefined && error === undefined ? options.list.ensureFresh() : undefined;
        if (this.rows.size === 0 && first) await this.firstRows(first);
        return [...this.rows.values(), ...(this.hasMore ? [this.more] : [])];
      },
      getParent: (row) => (row instanceof DetailRow ? row.parent : undefined),
      getTreeItem: async (row) => {
        if (row instanceof DetailRow) return row.treeItem;
        if (!(row instanceof ListRow)) return toMoreItem(options.showMore);
        const { toItem } = await options.drawing();
        return Object.assign(toItem(row.item, Date.now()), { id: row.key });
      },
      resolveTreeItem: async (item, row) => {
        if (row instanceof ListRow) item.tooltip = (await options.drawing()).tooltipOf(row.item, Date.now());
        return item;
      },
    };
  }

  private rowBelow(item: R): ListRow<R> {
    const key = this.options.keyOf(item);
    const row = this.rowsBelow.get(key) ?? new ListRow(key, item);
    row.item = item;
    this.rowsBelow.set(key, row);
    return row;
  }

  private async firstRows(read: Promise<unknown>): Promise<void> {
    const came = new Promise<void>((resolve) => (this.give = resolve));
    await Promise.race([read, came]);
    this.give = undefined;
  }

  private show(): void {
    const { list, rowsOf, keyOf, rowsKey, showMore } = this.options;
    const { state } = list;
    const items = state.session === 'signedOut' ? [] : rowsOf(state);
    void setContext(rowsKey, rowsStateOf(state, items.length));
    if (state.loading && items.length === 0) return;
    const message = this.messageOf(state, items.length);
    if (message === undefined) return;
    // The editor takes every one for a change, and is late with changes that follow.
    if (this.view.message !== message) this.view.message = message;
    const before = this.rows;
    const keysBefore = [...before.keys()];
    const news: ListRow<R>[] = [];
    this.rows = new Map(
      items.map((item) => {
        const key = keyOf(item);
        const row = before.get(key) ?? new ListRow(key, item);
        if (row.item !== item) news.push(row);
        row.item = item;
        return [key, row];
      }),
    );
    const hasMore = state.hasMore && showMore !== undefined && state.session !== 'signedOut';
    const keys = [...this.rows.keys()];
    const isSame =
      hasMore === this.hasMore &&
      keys.length === keysBefore.length &&
      keys.every((key, index) => key === keysBefore[index]);
    this.hasMore = hasMore;
    // Told to read what it is just being given, the editor would know no row for a moment, also not the one that is pointed at.
    if (!isSame && this.give) this.give();
    else if (!isSame || news.length > mostToldAlone) this.changed.fire(undefined);
    else if (news.length > 0) this.changed.fire(news);
  }

  /** Above rows alone: the editor shows no welcome text below a message. `undefined` while its words are being loaded. */
  private messageOf({ error, items, readAt }: RemoteListState<unknown>, count: number): string | undefined {
    if (error === undefined || count === 0) return '';
    return this.trouble.now()?.listErrorText(error, { readAt, hasRows: items.length > 0 });
  }

  private tick(): void {
    const { ticks } = this.options;
    if (!ticks || !this.view.visible) return;
    const now = Date.now();
    const rows = [...this.rows.values()].filter(({ item }) => ticks(item, now)).slice(0, mostToldAlone);
    if (rows.length === 0) return;
    this.changed.fire(rows);
    // What goes on at the service and is looked at here.
    void this.options.list.ensureFresh();
  }

  withBar<X>(work: () => Promise<X>): Thenable<X> {
    return withProgress({ location: { viewId: this.options.viewId } }, work);
  }
}

function toMoreItem(command: CommandId | undefined): vscode.TreeItem {
  const label = vscode.l10n.t('Show more…');
  const item = treeItem(label);
  item.id = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  if (command) item.command = { command, title: label };
  return item;
}

function isNotOffered(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notOffered';
}

function rowsStateOf(state: RemoteListState<unknown>, count: number): RowsState {
  const { error, readAt, loading } = state;
  if (count > 0) return 'rows';
  if (loading) return 'loading';
  if (error !== undefined) return emptyReason(error);
  return readAt === undefined ? 'loading' : 'empty';
}
