import { lineDigest } from './lineDigest';

/** Something to be told of a line as it was sent. */
export interface SentMark {
  /** Of what was sent, from 0. */
  readonly line: number;
  /** `lineDigest` of what was sent. */
  readonly digest: string;
  /** Absent of a line without one. */
  readonly customId?: string | undefined;
}

/** A document by its lines. */
export interface DocumentLines {
  readonly lineCount: number;
  readonly textAt: (line: number) => string;
}

/** An edit: from where to where in the document before it, and how many lines are there in place of those. */
export interface LinesEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: number;
}

interface Placed<M> {
  readonly mark: M;
  line: number;
  isShown: boolean;
}

/** Marks on the lines of a document that are still what was sent. */
export class LineMarks<M extends SentMark> {
  private readonly placed: Placed<M>[] = [];

  /** `customIdOf`: of a line's text. Lines that stand elsewhere now are found by their ids. */
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

  /** In no order. */
  get shown(): readonly { readonly mark: M; readonly line: number }[] {
    return this.placed.filter(({ isShown }) => isShown);
  }

  /** To be called with every edit, when the document has them all; of several the last in the document first. True: others are shown, or elsewhere. */
  change(edits: readonly LinesEdit[]): boolean {
    let isOther = false;
    /** Among how many lines from its own on an edited one may be now. */
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

  /** Undone, what an edit took away is there again. */
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
