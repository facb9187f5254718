import { beginning } from '../preview/shortText';
import type { Failure } from './resultLine';

/** More kinds are not told apart: they make one group by their code, or the last one. */
const mostGroups = 2000;
const mostCodes = 4000;
const longestMessage = 500;

/** Kinds of failures: the same code, and messages that differ in numbers and ids only. */
export class ErrorGroups {
  readonly all: Failure[] = [];
  private readonly numbers = new Map<string, number>();

  /** The number of a failure's group, from 0. */
  numberOf({ code, message }: Failure): number {
    const told = { code: beginning(code, 100), message: beginning(message, longestMessage) };
    const key = `${told.code}\n${kindOf(told.message)}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.all.length < mostGroups) return this.begin(key, told);
    const byCode = this.numbers.get(told.code);
    if (byCode !== undefined) return byCode;
    return this.all.length < mostCodes ? this.begin(told.code, told) : mostCodes - 1;
  }

  private begin(key: string, failure: Failure): number {
    this.numbers.set(key, this.all.length);
    return this.all.push(failure) - 1;
  }
}

/** A message without what changes from one failure to the next: every word with a digit in it, as numbers and ids have. */
function kindOf(message: string): string {
  return message
    .replace(/[\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_.:-]*/gu, '#')
    .replace(/\s+/gu, ' ')
    .trim();
}
