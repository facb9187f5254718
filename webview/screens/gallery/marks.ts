import { signal } from '@preact/signals';
import type { GalleryArranged, GalleryTile } from '../../../src/protocol/gallery';

/** The pictures that are to be compared: two at most, the one that was marked first gives way. */
export class Marks {
  readonly tiles = signal<readonly GalleryTile[]>([]);
  readonly isComparing = signal(false);
  /** Worded: why the last one was not taken. */
  readonly refusal = signal('');

  /** `say`: to a screen reader. */
  constructor(
    private readonly onlyImages: string,
    private readonly say: (text: string) => void,
  ) {}

  ids(): readonly string[] {
    return this.tiles.peek().map(({ id }) => id);
  }

  toggle(tile: GalleryTile): void {
    this.refusal.value = tile.kind === 'image' ? '' : this.onlyImages;
    if (tile.kind !== 'image') return this.say(this.onlyImages);
    const others = this.tiles.peek().filter(({ id }) => id !== tile.id);
    const wasMarked = others.length < this.tiles.peek().length;
    this.tiles.value = wasMarked ? others : [...others.slice(-1), tile];
    return undefined;
  }

  clear(): void {
    this.tiles.value = [];
    this.refusal.value = '';
  }

  /** Those that are gone are let go, where all are laid out; what is only left out now may come again. */
  keep({ total, count, places }: GalleryArranged): void {
    if (total !== count) return;
    this.tiles.value = this.tiles.peek().filter(({ id }) => places[id] !== undefined);
  }
}
