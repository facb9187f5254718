import { beginning } from '../preview/shortText';
import type { Failure } from './resultLine';

/** Beyond this many groups, failures are grouped by code alone, or put into the last group. */
const mostGroups = 2000;
const mostCodes = 4000;
const longestMessage = 500;

/** Kinds of failures: the same code, and messages that differ only in numbers and ids. */
export class ErrorGroups {
  readonly all: Failure[] = [];
  private readonly numbers = new Map<string, number>();

  /** Returns the number of a failure's group, from 0. */
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

/** Replaces every word that contains a digit, such as a number or an id, because those differ from one failure to the next. */
function kindOf(message: string): string {
  return message
    .replace(/[\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_.:-]*/gu, '#')
    .replace(/\s+/gu, ' ')
    .trim();
}
