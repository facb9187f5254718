import { createHash } from 'node:crypto';

/** A mark for a line as it was sent. */
export interface SentMark {
  /** The zero-based line number in what was sent. */
  readonly line: number;
  /** The `lineDigest` of the line that was sent. */
  readonly digest: string;
  /** Absent if the line has none. */
  readonly customId?: string | undefined;
}

/** Access to a document by lines. */
interface DocumentLines {
  readonly lineCount: number;
  readonly textAt: (line: number) => string;
}

/** An edit: the first and last line it replaces in the document before it, and the number of lines there now. */
interface LinesEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: number;
}

interface Placed<M> {
  readonly mark: M;
  line: number;
  isShown: boolean;
}

/** Shows marks on those lines of a document that are still the same as when they were sent. */
export class LineMarks<M extends SentMark> {
  private readonly placed: Placed<M>[] = [];

  /** `customIdOf` returns the id in a line's text: lines that have moved are found by their ids. */
  constructor(
    marks: readonly M[],
    private readonly document: DocumentLines,
    customIdOf: (text: string) => string | undefined,
  ) {
    const sought = new Map<string, M>();
    let shift = 0;
    for (const mark of marks) {
      const line = [mark.line + shift, mark.line].find((one) => this.isAt(one, mark));
      if (line !== undefined) this.place(mark, line);
      else if (mark.customId !== undefined) sought.set(mark.customId, mark);
      shift = line === undefined ? shift : line - mark.line;
    }
    for (let line = 0; sought.size > 0 && line < document.lineCount; line++) {
      const customId = customIdOf(document.textAt(line));
      const mark = customId === undefined ? undefined : sought.get(customId);
      if (customId === undefined || !mark || !this.isAt(line, mark)) continue;
      this.place(mark, line);
      sought.delete(customId);
    }
  }

  /** In no particular order. */
  get shown(): readonly { readonly mark: M; readonly line: number }[] {
    return this.placed.filter(({ isShown }) => isShown);
  }

  /**
   * Call this after every change, with all its edits, the last in the document first. Returns whether the marks shown, or their
   * lines, have changed.
   */
  change(edits: readonly LinesEdit[]): boolean {
    let isOther = false;
    /** For each edited mark: the number of lines, starting with its own, that might contain its line now. */
    const edited = new Map<Placed<M>, number>();
    for (const one of this.placed) {
      const before = one.line;
      for (const { start, end, lines } of edits) {
        if (one.line > end) one.line += lines - (end - start + 1);
        else if (one.line >= start) {
          one.line = start;
          edited.set(one, Math.max(lines, edited.get(one) ?? 0));
        }
      }
      isOther ||= one.isShown && one.line !== before;
    }
    for (const [one, lines] of edited) {
      const found = this.within(one.line, lines, one.mark);
      const isShown = found !== undefined;
      isOther ||= one.isShown !== isShown || (isShown && found !== one.line);
      one.line = found ?? one.line;
      one.isShown = isShown;
    }
    return isOther;
  }

  /** Finds the line again that a mark belongs to. Undoing an edit brings a removed line back. */
  private within(start: number, lines: number, mark: M): number | undefined {
    for (let line = start; line < start + lines; line++) if (this.isAt(line, mark)) return line;
    return undefined;
  }

  private place(mark: M, line: number): void {
    this.placed.push({ mark, line, isShown: true });
  }

  private isAt(line: number, { digest }: SentMark): boolean {
    return line >= 0 && line < this.document.lineCount && lineDigest(this.document.textAt(line)) === digest;
  }
}

/** Returns the same digest for the same line, regardless of white space at its end. */
export function lineDigest(text: string): string {
  return createHash('sha1').update(text.trimEnd()).digest('base64');
}
