import { indexOf, isBlank, LineSearch, type Splice } from './textLines';
import { definedName, type Unit, unitFrom } from './units';

/** Finds lines and definitions in a file. */
export class FileSearch extends LineSearch {
  private names: Map<string, number[]> | undefined;

  /** Returns the lines that define the name. */
  definitions(name: string): readonly number[] {
    this.names ??= indexOf(this.text, (line) => definedName(line) ?? '');
    return this.names.get(name) ?? [];
  }

  unitAt(head: number): Unit {
    const unit = unitFrom(this.text, head);
    this.spend(unit.end - unit.start);
    return unit;
  }
}

/** Where lines belong, or why that isn't certain. */
export type Splices = readonly Splice[] | 'notFound' | 'ambiguous';

/** Returns lines without blank ones at both ends. */
export function trimmedBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  return lines.slice(Math.max(0, first), last + 1);
}

export function isImport(line: string): boolean {
  return /^\s*(?:import|from|use|using|#include|require|const\s+\w+\s*=\s*require|export\s+\*|package)\b/.test(line);
}

/** Returns splices in order. None can overlap another. */
export function disjoint(splices: readonly Splice[]): Splices {
  const ordered = splices.toSorted((one, other) => one.start - other.start || one.end - other.end);
  return ordered.some(({ start }, index) => index > 0 && start < ordered[index - 1]!.end) ? 'ambiguous' : ordered;
}
