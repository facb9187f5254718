export interface PickerItem {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  /** The heading it stands under; items of one group stand together. Empty: none. */
  readonly group: string;
}

/** Items in which every word of the query occurs, in their own order. */
export function matching(items: readonly PickerItem[], query: string): readonly PickerItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(({ id, detail }) => words.every((word) => `${id} ${detail}`.toLowerCase().includes(word)));
}

const pageSize = 8;

/** Where a key leads in a list; `undefined` for a key that is not for moving. Up and down go round, pages stop at the ends. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return (index - 1 + count) % count;
    case 'PageDown':
      return Math.min(index + pageSize, count - 1);
    case 'PageUp':
      return Math.max(index - pageSize, 0);
    default:
      return undefined;
  }
}
