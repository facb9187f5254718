import { readLines } from '../transform/lines';
import type { ResultsSource } from './resultsSource';
import { digestOf } from './sentCopy';

type Input = NonNullable<ResultsSource['input']>;
type Lines = ReadonlyMap<number, string>;

/**
 * Returns lines as they were sent, without line breaks, by their numbers from 1; lines the file does not have are left out. Returns
 * `undefined` if what was sent is no longer known. Never rejects.
 */
export async function sentLines(input: Input, numbers: readonly number[]): Promise<Lines | undefined> {
  const { path, current, sha256 } = input;
  try {
    if (current === undefined && (sha256 === undefined || (await digestOf(path)) !== sha256)) return undefined;
    return await linesAt(path, numbers);
  } catch {
    return undefined;
  }
}

/** Returns which lines of the batch file differ from what was sent, by their numbers from 1. Never rejects. */
export async function changedLines(input: Input, numbers: readonly number[]): Promise<readonly number[]> {
  const sent = await sentLines(input, numbers);
  if (!sent) return numbers;
  if (input.current === undefined) return [];
  const now = await linesAt(input.current, numbers).catch(() => new Map<number, string>());
  return numbers.filter((number) => sent.get(number) !== now.get(number));
}

/** Reads no further than the last line requested. Throws if reading fails. */
async function linesAt(path: string, numbers: readonly number[]): Promise<Lines> {
  const found = new Map<number, string>();
  const wanted = new Set(numbers);
  const last = Math.max(0, ...numbers);
  for await (const lines of readLines(path)) {
    for (const { number, bytes } of lines) if (wanted.has(number)) found.set(number, bytes.toString('utf8'));
    if ((lines.at(-1)?.number ?? 0) >= last) break;
  }
  return found;
}
