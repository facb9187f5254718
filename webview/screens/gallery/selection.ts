import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import type { GalleryArranged, GalleryTile } from '../../../src/protocol/gallery';
import { mostSelected } from '../../../src/protocol/mediaBounds';
import { pageNumber } from '../../components/pageLanguage';

type Tiles = ReadonlyMap<string, GalleryTile>;

/** The files selected for an action on all of them, by id, in the order in which they were selected. */
export class Selection {
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
  /** Where a range began, what was selected before it, and where it ends now. */
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
  keep({ gone }: GalleryArranged): void {
    this.range = undefined;
    const kept = new Map(this.tiles.peek());
    for (const id of gone) kept.delete(id);
    if (kept.size < this.tiles.peek().size) this.tiles.value = kept;
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
