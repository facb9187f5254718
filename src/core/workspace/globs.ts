import { readGlob } from './globParts';
import type { GlobPart, LetterRange } from './globParts';

/** Longer patterns, and those with more wildcards, are ignored, because nobody writes such patterns. */
export const longestGlob = 400;
export const mostWildcards = 64;

export function isUsableGlob(pattern: string): boolean {
  return pattern.length <= longestGlob && (pattern.match(/\*+|[?[]/g)?.length ?? 0) <= mostWildcards;
}

/** Returns the index of the last pattern that matches a path; -1 if none does. */
export type GlobMatcher = (path: string) => number;

const slash = 47;
/** What a state consumes: a character code, or one of these. */
const anyLetter = -1;
const notSlash = -2;
const inClass = -3;
/** These consume no character. */
const either = -4;
const atStart = -5;
const atEnd = -6;
const accepted = -7;

/** Limit on the states of all stored positions, so that patterns which lead to ever new positions use no more memory. */
const mostRemembered = 300_000;
/** Limit on new positions per path; a path that leads to more is followed without storing any, which is then faster. */
const mostNewOfPath = 200;
/** Longer lists of follow-up states are not stored but computed each time, so that no state is visited twice. */
const mostListed = 8;

/** Everything that the path may still match after some of its characters. */
interface Position {
  readonly states: readonly number[];
  /** The last pattern that matches if the path ends here. */
  readonly fits: number;
  readonly next: Map<number, Position>;
}

/**
 * Returns a matcher of paths, with `/` between their parts, against many patterns at once: `*`, `**`, `?`, `[a-z]`, `[[:digit:]]`, `{a,b}`.
 * Dot files are treated like all others. `noCase` ignores case. Processes each character of a path once, whatever the patterns: time grows
 * with the length of the patterns times that of the path, whereas libraries compile patterns to regular expressions that backtrack
 * (picomatch takes 7 s for six `*` on a name of 60 letters). An unusable pattern matches nothing.
 */
export function createGlobMatcher(
  patterns: readonly string[],
  { noCase = false }: { readonly noCase?: boolean } = {},
): GlobMatcher {
  const machine = new Machine();
  patterns.forEach((pattern, index) => {
    if (isUsableGlob(pattern)) machine.add(readGlob(noCase ? lowered(pattern) : pattern, { noCase }), index);
  });
  return (path) => (path === '' ? -1 : machine.lastFitting(noCase ? lowered(path) : path));
}

/** Returns a check whether any of the patterns matches. */
export function createGlob(...matcher: Parameters<typeof createGlobMatcher>): (path: string) => boolean {
  const last = createGlobMatcher(...matcher);
  return (path) => last(path) >= 0;
}

/** Lower-cases character by character where the length would change. */
function lowered(text: string): string {
  const whole = text.toLowerCase();
  if (whole.length === text.length) return whole;
  return text.replaceAll(/[^a-z]/g, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}

/** Thompson's construction: follows all paths through the patterns simultaneously. */
class Machine {
  private readonly waitsFor: number[] = [];
  private readonly next: number[] = [];
  /** The alternative next state, the index of a class, or that of the accepted pattern. */
  private readonly other: number[] = [];
  private readonly classes: { readonly isNot: boolean; readonly ranges: readonly LetterRange[] }[] = [];
  private readonly starts: number[] = [];
  /** By a hash of their states; positions with the same hash are compared by their states. */
  private positions = new Map<number, readonly Position[]>();
  private remembered = 0;
  private first: Position | undefined;
  /** By state: the round in which it was last reached. */
  private reached = new Int32Array(0);
  private round = 0;
  private readonly waiting: number[] = [];
  /**
   * By state: the states reachable without input after it consumed a slash (`behindSlash`) or another character. Missing if there are many.
   */
  private behind: readonly (readonly number[] | undefined)[] = [];
  private behindSlash: readonly (readonly number[] | undefined)[] = [];

  add(parts: readonly GlobPart[], index: number): void {
    this.starts.push(this.sequence(parts, this.state(accepted, -1, index)));
  }

  lastFitting(path: string): number {
    if (this.reached.length !== this.waitsFor.length) this.prepare();
    this.first ??= this.remember(this.closure(this.starts, true));
    let position = this.first;
    let fresh = 0;
    for (let at = 0; at < path.length; at += 1) {
      const code = path.charCodeAt(at);
      let next = position.next.get(code);
      if (next === undefined) {
        if (fresh === mostNewOfPath) return this.followed(position.states, path, at);
        fresh += 1;
        next = this.remember(this.after(position.states, code));
        position.next.set(code, next);
      }
      if (next.states.length === 0) return -1;
      position = next;
    }
    return position.fits;
  }

  private prepare(): void {
    this.reached = new Int32Array(this.waitsFor.length);
    const few = (isAtStart: boolean) =>
      this.waitsFor.map((expected, state) => {
        if (expected <= either) return undefined;
        const states = this.closure([this.next[state]!], isAtStart);
        return states.length <= mostListed ? states : undefined;
      });
    this.behind = few(false);
    this.behindSlash = few(true);
  }

  /** Matches the rest of a path without storing positions. */
  private followed(from: readonly number[], path: string, start: number): number {
    let states = from;
    for (let at = start; at < path.length && states.length > 0; at += 1) {
      states = this.after(states, path.charCodeAt(at));
    }
    return this.fits(states);
  }

  /** Returns the position for the states that were reached last. */
  private remember(states: readonly number[]): Position {
    let key = states.length;
    for (const state of states) key = (key + Math.imul(state + 1, 0x9e3779b1) ** 2) % 0x1fffffffffffff;
    const alike = this.positions.get(key) ?? [];
    const isReached = (state: number) => this.reached[state] === this.round;
    const known = alike.find((one) => one.states.length === states.length && one.states.every(isReached));
    if (known) return known;
    if (this.remembered > mostRemembered) {
      this.positions = new Map();
      this.remembered = 0;
      this.first = undefined;
    }
    const position = { states, fits: this.fits(states), next: new Map<number, Position>() };
    this.positions.set(key, [...alike, position]);
    this.remembered += states.length + 1;
    return position;
  }

  private after(states: readonly number[], code: number): readonly number[] {
    const { waitsFor, reached } = this;
    const found: number[] = [];
    const isSlash = code === slash;
    const behind = isSlash ? this.behindSlash : this.behind;
    const round = (this.round += 1);
    for (let index = 0; index < states.length; index += 1) {
      const state = states[index]!;
      const expected = waitsFor[state]!;
      const takes = expected === code || expected === anyLetter || (expected === notSlash && !isSlash);
      if (!takes && (expected !== inClass || isSlash || !this.isInClass(state, code))) continue;
      const few = behind[state];
      if (few === undefined) this.reach(this.next[state]!, isSlash, found);
      else {
        for (let at = 0; at < few.length; at += 1) {
          const next = few[at]!;
          if (reached[next] === round) continue;
          reached[next] = round;
          found.push(next);
        }
      }
    }
    return found;
  }

  private isInClass(state: number, code: number): boolean {
    const { isNot, ranges } = this.classes[this.other[state]!]!;
    return ranges.some(([from, to]) => from <= code && code <= to) !== isNot;
  }

  private fits(states: readonly number[]): number {
    const ends = states.filter((state) => this.waitsFor[state] === atEnd).map((state) => this.next[state]!);
    const all = ends.length === 0 ? states : [...states, ...this.closure(ends, false)];
    return all.reduce(
      (last, state) => (this.waitsFor[state] === accepted ? Math.max(last, this.other[state]!) : last),
      -1,
    );
  }

  private closure(from: readonly number[], isAtStart: boolean): readonly number[] {
    const found: number[] = [];
    this.round += 1;
    for (const state of from) this.reach(state, isAtStart, found);
    return found;
  }

  /** Adds the states that are reachable without input, except those already reached in this round. */
  private reach(from: number, isAtStart: boolean, found: number[]): void {
    const { waiting, reached, waitsFor, next, other, round } = this;
    waiting.push(from);
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (reached[state] === round) continue;
      reached[state] = round;
      const kind = waitsFor[state]!;
      if (kind > either || kind < atStart) found.push(state);
      else if (kind === either) waiting.push(next[state]!, other[state]!);
      else if (isAtStart) waiting.push(next[state]!);
    }
  }

  private state(waitsFor: number, next: number, other = -1): number {
    this.next.push(next);
    this.other.push(other);
    return this.waitsFor.push(waitsFor) - 1;
  }

  /** Returns the state before the parts; `next` is the state after them. */
  private sequence(parts: readonly GlobPart[], next: number): number {
    return parts.reduceRight((behind, part) => this.part(part, behind), next);
  }

  private part(part: GlobPart, next: number): number {
    switch (part.kind) {
      case 'letter':
        return this.state(part.code, next);
      case 'one':
        return this.state(notSlash, next);
      case 'class':
        return this.state(inClass, next, this.classes.push(part) - 1);
      case 'some':
        return this.repeated(notSlash, next);
      case 'choice':
        return part.of.map((way) => this.sequence(way, next)).reduce((one, two) => this.state(either, one, two));
      case 'folders':
        return this.names(
          part.isAtStart,
          this.state(either, next, this.repeated(anyLetter, this.state(slash, next))),
          () => this.repeated(notSlash, this.state(slash, next)),
        );
      case 'below':
        return this.names(part.isAtStart, this.repeated(anyLetter, next), () => this.repeated(notSlash, next));
      case 'folderAndBelow':
        return this.state(either, this.state(atEnd, next), this.state(slash, this.repeated(anyLetter, next)));
    }
  }

  private repeated(waitsFor: number, next: number): number {
    const loop = this.state(either, next);
    this.other[loop] = this.state(waitsFor, loop);
    return loop;
  }

  /** `**` matches whole names only at the start of one; elsewhere, which is possible only within braces, it acts like `*`. */
  private names(isAtStart: boolean, whole: number, elsewhere: () => number): number {
    return isAtStart ? whole : this.state(either, this.state(atStart, whole), elsewhere());
  }
}
