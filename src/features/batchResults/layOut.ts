import type { CutText } from '../../core/batch/results/resultsView';

/** Formats a line of JSON with indentation, or returns it unchanged if it is not JSON; cut after `most` characters. */
export function layOut(line: string, most: number): CutText {
  const text = indented(line);
  return { text: text.slice(0, most), cut: Math.max(0, text.length - most) };
}

/** Also returns the line unchanged if it is nested too deeply, because JSON.stringify is recursive. */
function indented(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), undefined, 2);
  } catch {
    return line;
  }
}
