import { stat } from 'node:fs/promises';
import { systemCode } from '../../network/systemCode';
import { isMakingError } from '../making/makingError';
import { lineOfResult } from '../local/resultLine';
import { parseObject, textOf } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';
import { eachLine } from './eachLine';
import type { BufferedLine } from './eachLine';
import { ErrorGroups } from './errorGroups';
import { readInput } from './readInput';
import type { ReadInput } from './readInput';
import { ResultColumns } from './resultColumns';
import { readResult } from './resultLine';
import type { ResultsRetry, ResultsSource } from './resultsSource';
import type { BadLine, ResultsFile } from './resultsView';

/** The most lines without a result to list for a file; further ones are only counted. */
const mostBadLines = 100;

export interface JoinOptions {
  /** Aborting stops reading; what was read until then is returned. */
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number, total: number) => void;
}

/** An attempt after the first one, with the lines it sent: none if those could not be read. */
export interface JoinedRetry extends ResultsRetry {
  readonly asked: ResultColumns;
}

export interface Joined {
  readonly columns: ResultColumns;
  readonly groups: ErrorGroups;
  readonly input: ReadInput | undefined;
  /** The files of each attempt follow those of the attempt before it. */
  readonly files: readonly ResultsFile[];
  readonly retries: readonly JoinedRetry[];
  readonly duplicates: number;
  readonly isWhole: boolean;
}

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Reads the input and all results once, and finds the result of each request by its `custom_id`. Memory use grows with their
 * number, not with their length. Files that cannot be read are reported in the result; that throws nothing.
 */
export async function joinFiles(source: ResultsSource, { signal, onProgress }: JoinOptions): Promise<Joined> {
  const files = filesOf(source);
  const inputs = [source.input?.path, ...(source.retries ?? []).map(({ input }) => input)];
  const ofInputs = await Promise.all(inputs.map((path = '') => sizeOf(path)));
  for (const file of files) file.bytes = await sizeOf(file.path);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0) + ofInputs.reduce((sum, size) => sum + size, 0);
  const joiner = new Joiner(files);
  const retries: JoinedRetry[] = [];
  let before = 0;
  let isWhole = true;
  let input: ReadInput | undefined;
  const reading = { signal, onProgress: (bytes: number) => onProgress(before + bytes, total) };
  try {
    if (source.input) input = await readInput(source.input, joiner.columns, reading);
    before += ofInputs.shift() ?? 0;
    for (const [number, retry] of (source.retries ?? []).entries()) {
      const asked = new ResultColumns();
      if (retry.input !== undefined) await readInput({ path: retry.input }, asked, reading);
      retries.push({ ...retry, asked });
      before += ofInputs[number] ?? 0;
    }
    for (const number of files.keys()) {
      await joiner.read(number, reading);
      before += files[number]?.bytes ?? 0;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    isWhole = false;
  }
  const { columns, groups, duplicates } = joiner;
  return { columns, groups, input, files, retries, duplicates, isWhole };
}

function filesOf(source: ResultsSource): readonly Growing<ResultsFile>[] {
  return [source, ...(source.retries ?? [])].flatMap(({ outputs, errors }, attempt) => {
    const file =
      (role: ResultsFile['role']) =>
      (path: string): Growing<ResultsFile> => {
        return { path, role, attempt, bytes: 0, results: 0, bad: 0, badLines: [] };
      };
    return [...outputs.map(file('output')), ...errors.map(file('errors'))];
  });
}

/** Returns the position of the request that a row's result answers: `file` is 0 for the input, else the number of the retry. */
export function requestAt(
  { columns, files, retries }: Joined,
  row: number,
): { readonly file: number; readonly start: number; readonly size: number } | undefined {
  const result = columns.resultAt(row);
  const attempt = result === undefined ? 0 : (files[result.file]?.attempt ?? 0);
  const asked = retries[attempt - 1]?.asked;
  const line = asked?.findKey(columns.ids.get(row));
  const again = line === undefined ? undefined : asked?.lineAt(line);
  if (again) return { file: attempt, ...again };
  const place = columns.lineAt(row);
  return place && { file: 0, ...place };
}

/** Returns the number of the retry under way that includes a row's request but has no result for it yet. */
export function retryOf({ columns, files, retries }: Joined, row: number): number | undefined {
  const key = columns.ids.get(row);
  if (key.length === 0) return undefined;
  const result = columns.resultAt(row);
  const attempt = result === undefined ? 0 : (files[result.file]?.attempt ?? 0);
  const index = retries.findLastIndex(({ isUnderWay, asked }) => isUnderWay && asked.findKey(key) !== undefined);
  return index < 0 || index + 1 === attempt ? undefined : index + 1;
}

class Joiner {
  readonly columns = new ResultColumns();
  readonly groups = new ErrorGroups();
  duplicates = 0;

  constructor(private readonly files: readonly Growing<ResultsFile>[]) {}

  /** Throws only if aborted. */
  async read(
    number: number,
    { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
  ): Promise<void> {
    const file = this.files[number]!;
    const badLines: BadLine[] = [];
    file.badLines = badLines;
    const addBad = (line: number, kind: BadLine['kind']) => {
      file.bad++;
      if (badLines.length < mostBadLines) badLines.push({ line, kind });
    };
    const onLine = (line: BufferedLine) => {
      const kind = this.add(line, number);
      if (kind === undefined) file.results++;
      else addBad(line.number, kind === 'notJson' && !line.isEnded ? 'torn' : kind);
    };
    try {
      await eachLine(file.path, { signal, onProgress, onLine, onLongLine: (line) => addBad(line, 'tooLong') });
    } catch (error) {
      signal.throwIfAborted();
      file.trouble = isMakingError(error) ? 'notText' : (systemCode(error) ?? 'EIO');
    }
  }

  /** Returns why a line is not a result, or `undefined` if it is one. */
  private add({ buffer, start, end, offset, number: line }: BufferedLine, file: number): BadLine['kind'] | undefined {
    const value = parseObject(buffer.toString('utf8', start, end));
    if (!value) return 'notJson';
    const asked = this.attemptOf(file) === 0 ? this.askedWithoutId(value) : undefined;
    const result = readResult(value, asked === undefined ? undefined : '');
    if (typeof result === 'string') return result;
    const { customId, failure, usage, finish } = result;
    const row = asked ?? this.columns.rowOf(customId);
    const noted = {
      file,
      offset,
      bytes: end - start,
      line,
      group: failure && this.groups.numberOf(failure),
      isCutOff: failure === undefined && (finish === 'length' || finish === 'max_tokens'),
      input: usage.input,
      output: usage.output,
    };
    const before = this.columns.resultAt(row);
    if (before && this.attemptOf(before.file) !== this.attemptOf(file)) {
      this.columns.noteRetry(row, noted);
      return undefined;
    }
    if (before) this.duplicates++;
    this.columns.note(row, noted);
    return undefined;
  }

  private attemptOf(file: number): number {
    return this.files[file]?.attempt ?? 0;
  }

  /** Returns the row of a request without an id that was run locally: such a result names the request's line. */
  private askedWithoutId(value: JsonObject): number | undefined {
    if (textOf(value['custom_id'])) return undefined;
    const line = lineOfResult(JSON.stringify({ id: value['id'] }));
    const row = line === undefined ? -1 : line - 1;
    const { columns } = this;
    const isAsked = row >= 0 && row < columns.lines && !columns.isBlank(row) && columns.ids.get(row).length === 0;
    return isAsked ? row : undefined;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
