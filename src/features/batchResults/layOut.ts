import type { CutText } from '../../core/batch/results/resultsView';

/** A line of JSON with its members on lines of their own; as it stands where it is none. At most `most` characters. */
export function layOut(line: string, most: number): CutText {
  const text = indented(line);
  return { text: text.slice(0, most), cut: Math.max(0, text.length - most) };
}

/** JSON.stringify calls itself for every level, and a line may nest deeper than that goes. */
function indented(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), undefined, 2);
  } catch {
    return line;
  }
}
