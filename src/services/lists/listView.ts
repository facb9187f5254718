import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { Account, Connections } from '../account/account';
import { setContext } from '../../platform/contributions';
import type { CommandId } from '../../platform/commands';
import type { ContextKeys, RowsState, ViewId } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { emptyReason } from './emptyReason';
import { loadedOr, once } from '../../platform/once';
import { CommandRow, DetailRow, itemOfRow, ListRow } from '../../platform/listRow';
import type { RemoteList, RemoteListState } from './remoteList';
import { createTreeView, treeItem, withProgress } from '../../platform/notify';
import { whileVisible } from '../../platform/whileVisible';

type ListViewId = Extract<ViewId, `inferenceDesk.${'files' | 'batches' | 'voices'}`>;
type RowsKey = Extract<keyof ContextKeys, `${ListViewId}Rows`>;

export interface ListViewServices {
  readonly account: Account;
  readonly connections: Connections;
  readonly log: vscode.LogOutputChannel;
}

/** How rows are rendered. */
export interface RowDrawing<R> {
  readonly toItem: (row: R, now: number) => vscode.TreeItem;
  /** Called when someone looks at the row. */
  readonly tooltipOf: (row: R, now: number) => vscode.MarkdownString;
  /** The child rows of a row whose item is collapsible. */
  readonly detailsOf?: (row: R, now: number) => readonly vscode.TreeItem[];
}

export interface ListViewOptions<T, R> {
  /** Its command `refresh` reads the list again. */
  readonly viewId: ListViewId;
  /** Set to what the list contains, for the view's welcome texts. */
  readonly rowsKey: RowsKey;
  /** The list read from the service. Its creator disposes it. */
  readonly list: RemoteList<T>;
  /** Returns the rows to show; a row that did not change must be the same object again. */
  readonly rowsOf: (state: RemoteListState<T>) => readonly R[];
  /** Fires when other data shown in the rows has changed. */
  readonly onDidChange?: vscode.Event<void>;
  /** Stable across refreshes; used as the `id` of the row's item. */
  readonly keyOf: (row: R) => string;
  /** Child rows of the same kind, shown before those of the drawing. */
  readonly below?: (row: R) => readonly R[];
  /** Loaded when there is a row to render. */
  readonly drawing: () => Promise<RowDrawing<R>>;
  /** Whether the row's item changes as time passes; while one does and is visible, the list is refreshed every minute. */
  readonly ticks?: (row: R, now: number) => boolean;
  /** Whether a command can apply to several rows. The menu of a row passes it, and then all selected ones. */
  readonly canSelectMany?: boolean;
  readonly dropped?: Pick<vscode.TreeDragAndDropController<unknown>, 'dropMimeTypes' | 'handleDrop'>;
  /** Reads more of the list. Without it, a list of which only a part was read says so above its rows. */
  readonly showMore?: CommandId;
}

/** A view of what the service stores for the account: read when looked at, retained when a refresh fails. */
export interface ListView<R> extends Disposable {
  /** Also requests what the service was found not to offer. */
  refresh(): Promise<void>;
  showMore(): Promise<void>;
  /** Returns the item of a command's argument: a row, one of its children, or a row's key. `undefined` for anything else. */
  itemOf(rowOrKey: unknown): R | undefined;
  readonly items: readonly R[];
  /** Scrolls to a row and selects it, if it is listed; the focus does not move. */
  reveal(key: string): Promise<void>;
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  setBadge(badge: vscode.ViewBadge | undefined): void;
  /** Shows the view's progress bar during the work. */
  withBar<X>(work: () => Promise<X>): Thenable<X>;
}

type Row<R> = ListRow<R> | DetailRow<R> | CommandRow;

const tickMs = 30_000;
/** Up to this many rows are refreshed individually. For more, VS Code reloads the entire tree. */
const maxAnnouncedAlone = 50;

export function createListView<T, R>(services: ListViewServices, options: ListViewOptions<T, R>): ListView<R> {
  return new RowsView(services, options);
}

class RowsView<T, R> implements ListView<R> {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<Row<R>[] | undefined>());
  private readonly view: vscode.TreeView<Row<R>>;
  private readonly more: CommandRow;
  private rows: ReadonlyMap<string, ListRow<R>> = new Map();
  private readonly rowsBelow = new Map<string, ListRow<R>>();
  private hasMore = false;
  /** The error that is shown in place of a list, and what can be done about it. */
  private failure: { readonly error: unknown; readonly rows: readonly CommandRow[] } | undefined;
  /** Set while VS Code waits for the first rows: ends that wait, so that it gets those that have arrived. */
  private give: (() => void) | undefined;
  private readonly errorTexts = once(() => import('./listErrorText'));

  readonly onDidChangeVisibility;

  constructor(
    private readonly services: ListViewServices,
    private readonly options: ListViewOptions<T, R>,
  ) {
    const { store } = this;
    const { dropped, list, viewId } = options;
    this.more = new CommandRow(() => toMoreItem(options.showMore));
    this.view = store.add(
      createTreeView<Row<R>>(viewId, {
        treeDataProvider: this.provider(),
        canSelectMany: options.canSelectMany ?? false,
        ...(dropped && { dragAndDropController: { ...dropped, dragMimeTypes: [] } }),
      }),
    );
    this.onDidChangeVisibility = this.view.onDidChangeVisibility;
    this.show();
    store.add(list.onDidChange(() => this.show()));
    if (options.onDidChange) store.add(options.onDidChange(() => this.show()));
    store.add(
      whileVisible(this.view, () => {
        const looking = new DisposableStore();
        const ticking = setInterval(() => this.tick(), tickMs).unref();
        looking.add({ dispose: () => clearInterval(ticking) });
        looking.add(list.follow());
        looking.add(services.connections.onDidChange(() => void list.ensureFresh()));
        return looking;
      }),
    );
  }

  get items(): readonly R[] {
    return Array.from(this.rows.values(), ({ item }) => item);
  }

  get visible(): boolean {
    return this.view.visible;
  }

  async refresh(): Promise<void> {
    const { account, connections, log } = this.services;
    const { profile } = account.current;
    const { list, viewId } = this.options;
    if (profile && isNotOffered(list.state.error)) await connections.forgetOffers(profile.id, { andKnown: true });
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
        return [...this.rows.values(), ...(this.hasMore ? [this.more] : []), ...(this.failure?.rows ?? [])];
      },
      getParent: (row) => (row instanceof DetailRow ? row.parent : undefined),
      getTreeItem: async (row) => {
        if (row instanceof DetailRow) return row.treeItem;
        if (row instanceof CommandRow) return row.toItem();
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
    const reason =
      items.length > 0 || state.loading || state.error === undefined ? undefined : emptyReason(state.error);
    void setContext(rowsKey, reason === 'failed' ? 'rows' : (reason ?? rowsStateOf(state, items.length)));
    if (state.loading && items.length === 0) return;
    const isPart = state.hasMore && showMore === undefined && items.length > 0;
    const hasMessage = isPart || (state.error !== undefined && (items.length > 0 || reason === 'failed'));
    const texts = hasMessage ? this.errorTextsNow() : noErrorTexts;
    if (!texts) return;
    // Only above rows, because VS Code shows no welcome text below a message.
    this.view.message = texts.listText(state, items.length);
    const failureBefore = this.failure;
    if (reason !== 'failed') this.failure = undefined;
    else if (this.failure?.error !== state.error)
      this.failure = { error: state.error, rows: texts.errorRows(state.error, `${this.options.viewId}.refresh`) };
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
      failureBefore === this.failure &&
      keys.length === keysBefore.length &&
      keys.every((key, index) => key === keysBefore[index]);
    this.hasMore = hasMore;
    // If it were told to reload what it is just receiving, VS Code would know no row for a moment, not even the hovered one.
    if (!isSame && this.give) this.give();
    else if (!isSame || news.length > maxAnnouncedAlone) this.changed.fire(undefined);
    else if (news.length > 0) this.changed.fire(news);
  }

  /** Returns `undefined` while they are being loaded, after which it shows the list again. */
  private errorTextsNow() {
    return loadedOr(
      this.errorTexts,
      () => this.show(),
      (error) => this.services.log.error(String(error)),
    );
  }

  private tick(): void {
    const { ticks } = this.options;
    if (!ticks) return;
    const now = Date.now();
    const rows = [...this.rows.values()].filter(({ item }) => ticks(item, now)).slice(0, maxAnnouncedAlone);
    if (rows.length === 0) return;
    this.changed.fire(rows);
    // Picks up progress at the service while someone is watching.
    void this.options.list.ensureFresh();
  }

  withBar<X>(work: () => Promise<X>): Thenable<X> {
    return withProgress({ location: { viewId: this.options.viewId } }, work);
  }
}

function toMoreItem(command: CommandId | undefined): vscode.TreeItem {
  const label = l10n.t('Show More…');
  const item = treeItem(label);
  item.id = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  if (command) item.command = { command, title: label };
  return item;
}

function isNotOffered(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notOffered';
}

function rowsStateOf({ readAt, loading }: RemoteListState<unknown>, count: number): RowsState {
  if (count > 0) return 'rows';
  return loading || readAt === undefined ? 'loading' : 'empty';
}

const noErrorTexts = { listText: () => '', errorRows: () => [] };
