import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import type {
  GalleryArranged,
  GalleryBulkAction,
  GalleryDetails,
  GalleryScreen,
  GalleryTile,
  GalleryView,
} from '../../../src/protocol/gallery';
import type { OpenMenu } from '../../components/menu';
import { createRowPages } from '../../components/rowPages';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { focusIfActive } from '../../components/focus';
import { mostSelected } from '../../../src/protocol/mediaBounds';
import { pageNumber } from '../../components/pageLanguage';

export const allShown: GalleryView = { query: '', kind: 'all', sort: 'newest' };
/** Debounce of saving the scroll position. */
const saveMs = 250;

/** The page's state for the generated media, and its calls to the host. */
export class GallerySession extends PageSession<GalleryScreen> {
  readonly view = signal<GalleryView>(allShown);
  /** `undefined` while the recipes are being read. */
  readonly arranged = signal<GalleryArranged | undefined>(undefined);
  readonly active = signal<number | undefined>(undefined);
  readonly reveal = signal<{ readonly index: number; readonly focus?: boolean } | undefined>(undefined);
  readonly moved = signal<{ readonly from: number; readonly to: number } | undefined>(undefined);
  readonly selected = signal<string | null>(null);
  readonly details = signal<GalleryDetails | undefined>(undefined);
  /** Set while the selected image is in the large view: whether there are images before and after it, `undefined` until that is known. */
  readonly large = signal<{ readonly previous?: boolean; readonly next?: boolean } | undefined>(undefined);
  readonly selection: Selection;
  readonly pages = createRowPages<GalleryTile>(
    async (from, count) => (await this.host.call('gallery/tiles', { from, count })).tiles,
    (error) => this.fail(error),
  );
  /** Initial scroll position. */
  readonly firstScroll: number;

  private scroll: number;
  private firstSeen = 0;
  private arranging: AbortController | undefined;
  private saving: number | undefined;
  private turning: Promise<void> = Promise.resolve();

  constructor(
    host: Host<GalleryScreen>,
    say: (text: string) => void,
    readonly openMenu: OpenMenu,
  ) {
    super(host, say);
    const { selected, scroll, ...view } = host.load() ?? { ...allShown, selected: null, scroll: 0 };
    this.view.value = view;
    this.selected.value = selected;
    this.firstScroll = this.scroll = scroll;
    this.selection = new Selection(async (first, end) => {
      const count = Math.min(end - first, mostSelected);
      return (await this.ask('gallery/tiles', { from: first, count }))?.tiles ?? [];
    }, say);
  }

  async start(): Promise<void> {
    await this.arrange(true);
    const id = this.selected.peek();
    if (id !== null) await this.showDetails(id);
  }

  /** Reads the folders again. The scroll position and selection stay. */
  async refresh(): Promise<void> {
    const before = this.firstSeen;
    const anchor = this.scroll > 0 ? this.tileAt(before)?.id : undefined;
    const places = await this.arrange(true, anchor === undefined ? [] : [anchor]);
    const to = anchor === undefined ? undefined : places?.[anchor];
    if (to !== undefined && to !== before) this.moved.value = { from: before, to };
    const id = this.selected.peek();
    if (id !== null) await this.showDetails(id);
  }

  /** Changes the filter or sorting, and shows the items from the first one. */
  async change(part: Partial<GalleryView>): Promise<void> {
    this.view.value = { ...this.view.peek(), ...part };
    this.save();
    await this.arrange(false);
    this.reveal.value = { index: 0 };
    const { count = 0, countText = '' } = this.arranged.peek() ?? {};
    this.say(count === 0 ? this.nothingText() : countText);
  }

  /** Returns the localized reason why nothing is shown. */
  nothingText(): string {
    const query = this.view.peek().query.trim();
    return query === '' ? l10n.t('No files of this type.') : l10n.t('No results for "{0}".', query);
  }

  tileAt(index: number): GalleryTile | undefined {
    return this.pages.drawn(index, index + 1)[0]?.row;
  }

  async select(index: number): Promise<void> {
    this.active.value = index;
    const tile = this.tileAt(index) ?? (await this.pages.fetch(index));
    if (!tile || this.active.peek() !== index) return;
    if (this.selected.peek() === tile.id && this.details.peek()) return;
    this.selected.value = tile.id;
    this.save();
    await this.showDetails(tile.id);
  }

  /** Opens an image in the large view; focuses the player of anything else. */
  async open(index: number): Promise<void> {
    await this.select(index);
    if (this.details.peek()?.kind === 'image') await this.viewLarge();
    else requestAnimationFrame(() => focusIfActive(document.querySelector<HTMLElement>('.gallery-player')));
  }

  async viewLarge(): Promise<void> {
    this.large.value ??= {};
    const at = this.active.peek();
    if (at === undefined) return;
    const [previous, next] = await Promise.all([this.pictureFrom(at, -1), this.pictureFrom(at, 1)]);
    if (this.large.peek() && this.active.peek() === at)
      this.large.value = { previous: previous !== undefined, next: next !== undefined };
  }

  /** Goes to the previous or next image. Fast repeated calls run one after the other. */
  turn(step: 1 | -1): void {
    const turnOnce = async () => {
      const at = this.active.peek();
      const to = at === undefined ? undefined : await this.pictureFrom(at, step);
      if (to === undefined || !this.large.peek()) return;
      this.large.value = {};
      this.reveal.value = { index: to };
      await this.select(to);
      void this.viewLarge();
    };
    this.turning = this.turning.then(turnOnce).catch((error: unknown) => this.fail(error));
  }

  closeDetails(): void {
    const index = this.active.peek();
    batch(() => {
      this.selected.value = null;
      this.details.value = undefined;
      if (index !== undefined) this.reveal.value = { index, focus: true };
    });
    this.save();
  }

  /** Acts on all selected files together. */
  actOnSelected(action: GalleryBulkAction): void {
    const ids = this.selection.ids();
    if (ids.length > 0) void this.ask('gallery/actOnSelected', { ids, action });
  }

  async copy(id: string, fact: number): Promise<void> {
    const answer = await this.ask('gallery/copy', { id, fact });
    if (answer) this.say(answer.message);
  }

  onScroll(scrollTop: number, first: number): void {
    this.scroll = scrollTop;
    this.firstSeen = first;
    clearTimeout(this.saving);
    this.saving = window.setTimeout(() => this.save(), saveMs);
  }

  /** Resolves with the index of the nearest image before or after `index`. */
  private async pictureFrom(index: number, step: 1 | -1): Promise<number | undefined> {
    const count = this.arranged.peek()?.count ?? 0;
    for (let at = index + step; at >= 0 && at < count; at += step) {
      const tile = this.tileAt(at) ?? (await this.pages.fetch(at));
      if (tile?.kind === 'image') return at;
    }
    return undefined;
  }

  private async arrange(again: boolean, find: readonly string[] = []): Promise<GalleryArranged['places'] | undefined> {
    this.arranging?.abort();
    const mine = (this.arranging = new AbortController());
    const selected = this.selected.peek();
    const requested = [...find, ...this.selection.ids(), ...(selected === null ? [] : [selected])];
    try {
      const request = { view: this.view.peek(), again, find: requested };
      const arranged = await this.host.call('gallery/arrange', request, { signal: mine.signal });
      if (this.arranging !== mine) return undefined;
      batch(() => {
        this.pages.forget();
        this.error.value = undefined;
        this.arranged.value = arranged;
        this.active.value = selected === null ? undefined : arranged.places[selected];
        this.selection.keep(arranged);
      });
      return arranged.places;
    } catch (error) {
      if (this.arranging === mine) this.fail(error);
      return undefined;
    }
  }

  private async showDetails(id: string): Promise<void> {
    try {
      const details = await this.host.call('gallery/details', { id });
      if (this.selected.peek() === id) this.details.value = details;
    } catch (error) {
      if (this.selected.peek() !== id) return;
      // The item was removed in the meantime. The error is shown only if the list still contains the item.
      batch(() => {
        this.selected.value = null;
        this.details.value = undefined;
        this.large.value = undefined;
      });
      if (this.arranged.peek()?.places[id] !== undefined) this.fail(error);
    }
  }

  /** An error of reading the folders stays until they are read. */
  protected override begin(): void {}

  private save(): void {
    this.host.save({ ...this.view.peek(), selected: this.selected.peek(), scroll: this.scroll });
  }
}

type Tiles = ReadonlyMap<string, GalleryTile>;

/** The files selected for an action on all of them, by id, in the order in which they were selected. */
class Selection {
  readonly tiles = signal<Tiles>(new Map());
  readonly isComparing = signal(false);
  /** Whether something was not selected because of the limit. */
  readonly isFull = signal(false);
  /** The two selected images, which can be compared. */
  readonly pair = computed(() => {
    const [first, second, ...others] = this.tiles.value.values();
    const isPair = first?.kind === 'image' && second?.kind === 'image' && others.length === 0;
    return isPair ? ([first, second] as const) : undefined;
  });
  /** Where a range began, the selection before it, and where it ends now. */
  private range: { readonly from: number; readonly before: Tiles; readonly to: number } | undefined;

  /** `load` returns the files from one index up to another; `say` announces a text to screen readers. */
  constructor(
    private readonly load: (first: number, end: number) => Promise<readonly GalleryTile[]>,
    private readonly say: (text: string) => void,
  ) {}

  ids(): readonly string[] {
    return [...this.tiles.peek().keys()];
  }

  async toggle(index: number): Promise<void> {
    const [tile] = await this.load(index, index + 1);
    if (!tile) return;
    const next = new Map(this.tiles.peek());
    if (!next.delete(tile.id)) next.set(tile.id, tile);
    this.show(next);
    this.range = { from: index, before: next, to: index };
  }

  /** Selects everything between two items. A range that continues the last one replaces it. */
  async extend(from: number, to: number): Promise<void> {
    const range = this.range?.to === from ? { ...this.range, to } : { from, before: this.tiles.peek(), to };
    this.range = range;
    const tiles = await this.load(Math.min(range.from, to), Math.max(range.from, to) + 1);
    if (this.range === range) this.show(new Map([...range.before, ...tiles.map((tile) => [tile.id, tile] as const)]));
  }

  async all(count: number): Promise<void> {
    this.range = undefined;
    const tiles = await this.load(0, count);
    this.show(new Map(tiles.map((tile) => [tile.id, tile])), count > mostSelected);
  }

  clear(): void {
    this.range = undefined;
    this.show(new Map());
  }

  /** Drops files that no longer exist. Those hidden by a filter stay selected. */
  keep({ missing }: GalleryArranged): void {
    this.range = undefined;
    const tiles = new Map(this.tiles.peek());
    for (const id of missing) tiles.delete(id);
    if (tiles.size < this.tiles.peek().size) this.tiles.value = tiles;
  }

  text(): string {
    return l10n.t('{0} selected', pageNumber(this.tiles.value.size));
  }

  limitText(): string {
    return l10n.t('You can select up to {0} files.', pageNumber(mostSelected));
  }

  private show(tiles: Tiles, isFull = tiles.size > mostSelected): void {
    batch(() => {
      this.tiles.value = isFull ? new Map([...tiles].slice(0, mostSelected)) : tiles;
      this.isFull.value = isFull;
    });
    this.say(isFull ? this.limitText() : this.text());
  }
}
