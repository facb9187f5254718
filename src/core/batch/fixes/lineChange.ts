import type { Span } from '../problem';

/** Replaces the `removed` lines from `start` on with `added`. Lines count from 0 and exclude their line breaks. */
export interface LineChange {
  readonly start: number;
  readonly removed: number;
  readonly added: readonly string[];
}

/** Lines as the editor counts them: the last one is empty if the file ends with a line break. */
export interface Lines {
  readonly lineCount: number;
  line(index: number): string | undefined;
}

/** Work done in steps: yields after each so that other work can run, and returns its result at the end. */
export type Work<T> = Generator<undefined, T>;

/** Replaces a span of one line with a text, which may contain line feeds. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Applies the edits. Of overlapping edits, the first one wins. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), put);
    at = end;
  }
  return parts.join('') + text.slice(at);
}
