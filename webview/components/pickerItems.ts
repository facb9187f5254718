import { foldText, searchWords } from '../../src/protocol/formats';

export interface PickerItem {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  /** The heading above the item; items of one group are adjacent. Empty: no heading. */
  readonly group: string;
}

/** Returns the items that contain every word of the query, in their original order. */
export function matching(items: readonly PickerItem[], query: string): readonly PickerItem[] {
  const words = searchWords(query);
  if (words.length === 0) return items;
  return items.filter(({ id, detail }) => words.every((word) => foldText(`${id} ${detail}`).includes(word)));
}

const pageSize = 8;

/** Returns the index a key moves to in a list, from -1 if none is active; `undefined` for any other key. Up and Down wrap around, paging stops at the ends. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return index <= 0 ? count - 1 : index - 1;
    case 'PageDown':
      return Math.min(index + pageSize, count - 1);
    case 'PageUp':
      return Math.max(index - pageSize, 0);
    default:
      return undefined;
  }
}
