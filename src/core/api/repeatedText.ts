/** The text so far is only looked for in a piece if it is at least this long, because a short one repeats by chance. */
const leastRepeated = 24;
/** The same of a piece that adds nothing. */
const leastSame = 64;
/** The same if nothing but the end follows. */
const leastAtEnd = 6;
/** The same of a first piece that the second and last one begins with, and of a piece that shows that each is all of the text so far. */
const leastBegun = 4;
/** A text of fewer different characters, such as a ruled line, repeats itself. */
const leastVariety = 4;

/**
 * Returns what each piece of a text adds. Some services send all of the text so far in each piece, or once more amid the text or at its
 * end. A second piece that begins with the first one is held back until a further one shows which it was.
 */
export class RepeatedText {
  private length = 0;
  private count = 0;
  /** Whether each piece is all of the text so far. */
  private isSoFar = false;
  /** Pieces after the first one, each of which begins with the one before it. */
  private held: readonly string[] = [];

  /** `text` returns all that was added. */
  constructor(private readonly text: () => string) {}

  /** `isLast`: whether the text ends with the piece. */
  added(piece: string, isLast = false): string {
    if (piece === '') return isLast ? this.end() : '';
    if (this.held.length > 0) return this.afterHeld(piece, isLast);
    if (piece.length < this.length || this.length === 0) return this.take(piece);
    return this.fromLong(piece, isLast);
  }

  /** Returns what was held back, when the text has ended or something else follows. */
  end(): string {
    const { held } = this;
    if (held.length === 0) return '';
    this.held = [];
    const all = held.join('');
    return this.take(held.length === 1 && isTelling(this.text(), leastBegun) ? all.slice(this.length) : all);
  }

  /** Returns what all of the text adds to the text so far, in place of what was held back. */
  rest(whole: string): string {
    const before = this.text();
    if (!whole.startsWith(before)) return whole;
    this.held = [];
    return whole.slice(before.length);
  }

  /** Reads a piece that is as long as all of the text so far, or longer. */
  private fromLong(piece: string, isLast: boolean): string {
    const before = this.text();
    if (!piece.startsWith(before)) return this.take(piece);
    if (this.isSoFar) return this.take(piece.slice(before.length));
    const isSame = piece.length === before.length;
    if (this.count === 1) {
      if (isSame && isLast && isTelling(before, leastRepeated)) return this.take('');
      if (isSame || piece.startsWith(before, before.length)) return this.take(piece);
      this.held = [piece];
      return isLast ? this.end() : '';
    }
    const least = isSame ? (isLast ? leastAtEnd : leastSame) : leastRepeated;
    return this.take(isTelling(before, least) ? piece.slice(before.length) : piece);
  }

  private afterHeld(piece: string, isLast: boolean): string {
    const { held } = this;
    if (!piece.startsWith(held.at(-1)!)) {
      this.held = [];
      return this.take(held.join('')) + this.added(piece, isLast);
    }
    if (!isTelling(piece, leastBegun)) {
      this.held = [...held, piece];
      return isLast ? this.end() : '';
    }
    this.held = [];
    this.isSoFar = true;
    return this.take(piece.slice(this.length));
  }

  private take(text: string): string {
    this.length += text.length;
    this.count += 1;
    return text;
  }
}

/** Whether a text is so long and varied that it does not come twice by chance. */
function isTelling(text: string, least: number): boolean {
  return text.length >= least && new Set(text.slice(0, 200)).size >= leastVariety;
}
