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
import type { ResultsSource } from './resultsSource';
import type { BadLine, ResultsFile } from './resultsView';

/** So many lines without a result are told of a file; more are counted. */
const mostBadLines = 100;

export interface JoinOptions {
  /** Ends the reading: what was read until then is there. */
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number, total: number) => void;
}

export interface Joined {
  readonly columns: ResultColumns;
  readonly groups: ErrorGroups;
  readonly input: ReadInput | undefined;
  readonly files: readonly ResultsFile[];
  readonly duplicates: number;
  readonly isWhole: boolean;
}

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Reads the input and all results once, in memory that does not grow with their length but with their number, and finds for
 * each request its result by `custom_id`. What cannot be read is told in what it returns; it throws nothing of that.
 */
export async function joinFiles(source: ResultsSource, { signal, onProgress }: JoinOptions): Promise<Joined> {
  const files = filesOf(source);
  const sizes = await Promise.all(
    [...(source.input ? [source.input.path] : []), ...files.map(({ path }) => path)].map(sizeOf),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const joiner = new Joiner();
  let before = 0;
  let isWhole = true;
  let input: ReadInput | undefined;
  const tell = (bytes: number) => onProgress(before + bytes, total);
  try {
    if (source.input) {
      input = await readInput(source.input, joiner.columns, { signal, onProgress: tell });
      before += sizes.shift() ?? 0;
    }
    for (const [number, file] of files.entries()) {
      file.bytes = sizes[number] ?? 0;
      await joiner.read(file, number, { signal, onProgress: tell });
      before += file.bytes;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    isWhole = false;
  }
  const { columns, groups, duplicates } = joiner;
  return { columns, groups, input, files, duplicates, isWhole };
}

function filesOf({ outputs, errors }: ResultsSource): readonly Growing<ResultsFile>[] {
  const file =
    (role: ResultsFile['role']) =>
    (path: string): Growing<ResultsFile> => {
      return { path, role, bytes: 0, results: 0, bad: 0, badLines: [] };
    };
  return [...outputs.map(file('output')), ...errors.map(file('errors'))];
}

class Joiner {
  readonly columns = new ResultColumns();
  readonly groups = new ErrorGroups();
  duplicates = 0;

  /** Throws only when it is aborted. */
  async read(
    file: Growing<ResultsFile>,
    number: number,
    { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
  ): Promise<void> {
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

  /** Why a line is no result; `undefined` for one that is. */
  private add({ buffer, start, end, offset, number: line }: BufferedLine, file: number): BadLine['kind'] | undefined {
    const value = parseObject(buffer.toString('utf8', start, end));
    if (!value) return 'notJson';
    const asked = this.askedWithoutId(value);
    const result = readResult(value, asked === undefined ? undefined : '');
    if (typeof result === 'string') return result;
    const { customId, failure, usage, finish } = result;
    const row = asked ?? this.columns.rowOf(customId);
    if (this.columns.hasResult(row)) this.duplicates++;
    this.columns.note(row, {
      file,
      offset,
      bytes: end - start,
      line,
      group: failure && this.groups.numberOf(failure),
      isCutOff: failure === undefined && (finish === 'length' || finish === 'max_tokens'),
      input: usage.input,
      output: usage.output,
    });
    return undefined;
  }

  /** The row of a request without an id that was run here: such a result tells the request's line. */
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
