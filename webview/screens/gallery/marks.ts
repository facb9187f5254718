import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import type { GalleryArranged, GalleryTile } from '../../../src/protocol/gallery';

/** The images to compare. At most two: marking a third removes the one marked first. */
export class Marks {
  readonly tiles = signal<readonly GalleryTile[]>([]);
  readonly isComparing = signal(false);
  /** Localized reason why the last item was not accepted. */
  readonly refusal = signal('');

  /** `say` announces a text to screen readers. */
  constructor(private readonly say: (text: string) => void) {}

  ids(): readonly string[] {
    return this.tiles.peek().map(({ id }) => id);
  }

  toggle(tile: GalleryTile): void {
    this.refusal.value = tile.kind === 'image' ? '' : l10n.t('Only images can be compared.');
    if (tile.kind !== 'image') return this.say(this.refusal.value);
    const others = this.tiles.peek().filter(({ id }) => id !== tile.id);
    const wasMarked = others.length < this.tiles.peek().length;
    this.tiles.value = wasMarked ? others : [...others.slice(-1), tile];
    return undefined;
  }

  clear(): void {
    this.tiles.value = [];
    this.refusal.value = '';
  }

  /** Drops images that no longer exist, if nothing is filtered out; those hidden by a filter may reappear. */
  keep({ total, count, places }: GalleryArranged): void {
    if (total !== count) return;
    this.tiles.value = this.tiles.peek().filter(({ id }) => places[id] !== undefined);
  }
}
