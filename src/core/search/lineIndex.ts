export interface Place {
  /** From 0. */
  readonly line: number;
  readonly character: number;
}

/** An index of where the lines of a text begin. Line ends are `\n`, `\r\n` and a lone `\r`, as in the editor. */
export interface LineIndex {
  readonly count: number;
  placeOf(offset: number): Place;
  /** Returns the lines from `first` to `last`, without the line end of the last. */
  textOf(first: number, last: number): string;
}

export function createLineIndex(text: string): LineIndex {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return {
    count: starts.length,
    placeOf(offset) {
      const line = lineOf(starts, offset);
      return { line, character: offset - starts[line]! };
    },
    textOf(first, last) {
      return text.slice(starts[first], starts[last + 1]).replace(/(\r\n|\n|\r)$/, '');
    },
  };
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
