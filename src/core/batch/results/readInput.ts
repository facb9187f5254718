import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { checkFile } from '../disk/checkFile';
import { systemCode } from '../../network/systemCode';
import type { LineProblem } from '../problem';
import type { ResultColumns } from './resultColumns';
import type { ResultsSource } from './resultsSource';
import type { ResultsInput } from './resultsView';

/** What is known about the input before results are joined to it. */
export type ReadInput = Omit<ResultsInput, 'withoutId'>;

interface ReadingOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

const hashedAtOnce = 1 << 20;

/** Adds every line of the input to `columns`, or those read until it is aborted. Never rejects: errors are part of the result. */
export async function readInput(
  { path, sha256, bytes: sent }: NonNullable<ResultsSource['input']>,
  columns: ResultColumns,
  { signal, onProgress }: ReadingOptions,
): Promise<ReadInput> {
  const state: { trouble?: NonNullable<ResultsInput['trouble']>; bytes: number } = { bytes: 0 };
  const onProblem = ({ code, line }: LineProblem) => {
    if (code === 'line.blank') columns.setBlank(line);
    else if (code === 'file.not-text') state.trouble = 'notText';
    else if (code === 'file.array' || code === 'file.spread') state.trouble = 'array';
    else if (code === 'file.empty') state.trouble ??= 'empty';
  };
  try {
    const read = await checkFile(path, { signal, onProgress, onProblem, onLine: (line) => columns.addLine(line) });
    state.bytes = read.bytes;
    if (read.changed) state.trouble ??= 'changed';
  } catch (error) {
    if (!signal.aborted) state.trouble = systemCode(error) ?? 'EIO';
  }
  const repeatedIds = columns.indexLines();
  const { trouble, bytes } = state;
  const isRead = !signal.aborted && (trouble === undefined || trouble === 'empty');
  const since = isRead ? await compareWithSent({ path, sha256, sent, bytes, signal }) : 'unknown';
  return { path, bytes, repeatedIds, since, ...(trouble !== undefined && { trouble }) };
}

interface SentFile {
  readonly path: string;
  readonly sha256: string | undefined;
  /** Its size when it was sent, and now. */
  readonly sent: number | undefined;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

async function compareWithSent({ path, sha256, sent, bytes, signal }: SentFile): Promise<ResultsInput['since']> {
  if (sent !== undefined && sent !== bytes) return 'changed';
  if (sha256 === undefined) return 'unknown';
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path, { highWaterMark: hashedAtOnce, signal }))
      hash.update(piece as Buffer);
  } catch {
    return 'unknown';
  }
  return hash.digest('hex') === sha256.toLowerCase() ? 'same' : 'changed';
}
