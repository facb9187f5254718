import type { ProgressMonitor } from '../../async/progressMonitor';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { systemCode } from '../../network/systemCode';
import { checkFile } from '../disk/checkFile';
import type { WalkedLine } from '../disk/fileWalk';
import { isMakingError } from '../making/makingError';
import { lineOfResult } from '../local/resultLine';
import { requestBody } from '../preview/lineContent';
import { beginning } from '../preview/shortText';
import type { LineProblem } from '../problem';
import { parseObject } from '../scan/jsonValue';
import { parsePart, parseResult } from './parseResult';
import type { JsonObject } from '../scan/jsonValue';
import { readLines } from '../transform/lines';
import type { LineText } from '../transform/lines';
import { AnswerProperties } from './answerValues';
import { JoinedRows } from './joinedRows';
import { isCreation, partsOf, readRecords } from './readRecords';
import { errorInsteadOfResults, readResult } from './resultLine';
import { resultId } from './resultId';
import type { Failure } from './resultLine';
import type { ResultsRetry, ResultsSource } from './resultsSource';
import type { BadLine, ResultsFile, ResultsInput } from './resultsView';

/** The most lines without a result to list for a file; further ones are only counted. */
const mostBadLines = 100;
/** Beyond this many groups, failures are grouped by code alone, or put into the last group. */
const mostGroups = 2000;
const mostCodes = 4000;
const longestMessage = 500;
/** The maximum length of models and finish reasons. */
const longestWord = 200;
const mostWords = 1000;
/** The most characters of a record that is not a result to search for the service's error. */
const longestError = 10_000;

/** An attempt after the first one, with the lines it sent, or none if those couldn't be read. */
export interface JoinedRetry extends ResultsRetry {
  readonly requests: JoinedRows;
}

export interface Joined {
  readonly rows: JoinedRows;
  readonly groups: ErrorGroups;
  /** The properties of answers that are JSON objects. */
  readonly properties: AnswerProperties;
  readonly input: ReadInput | undefined;
  /** The files of each attempt follow those of the attempt before it. */
  readonly files: readonly ResultsFile[];
  readonly retries: readonly JoinedRetry[];
  readonly duplicates: number;
  /** The number of results without an id, which belong to no request. */
  readonly nameless: number;
  /** Whether the first attempt still brings results. */
  readonly isUnderWay: boolean;
  readonly isWhole: boolean;
}

/** The facts about the input before results are joined to it. */
export type ReadInput = Omit<ResultsInput, 'withoutId'>;

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Reads the input and all results once, and finds the result of each request by its `custom_id`. Memory use grows with their number, not
 * with their length. Unreadable files are reported in the result instead of throwing. If aborted, resolves to what was read until then.
 */
export async function joinFiles(
  source: ResultsSource,
  { signal, onProgress }: ProgressMonitor<[bytes: number, total: number]>,
): Promise<Joined> {
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
  const reading: ProgressMonitor = { signal, onProgress: (bytes: number) => onProgress(before + bytes, total) };
  try {
    if (source.input) input = await readInput(source.input, joiner.rows, reading);
    before += ofInputs.shift() ?? 0;
    for (const [number, retry] of (source.retries ?? []).entries()) {
      const requests = new JoinedRows();
      if (retry.input !== undefined) await readInput({ path: retry.input }, requests, reading);
      retries.push({ ...retry, requests });
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
  const { rows, groups, properties, duplicates, nameless } = joiner;
  const isUnderWay = source.isUnderWay === true;
  return { rows, groups, properties, input, files, retries, duplicates, nameless, isUnderWay, isWhole };
}

/** Adds every line of the input to `rows`, or those read until it is aborted. Never rejects: errors are part of the result. */
async function readInput(
  { path, sha256, bytes: sent }: NonNullable<ResultsSource['input']>,
  rows: JoinedRows,
  { signal, onProgress }: ProgressMonitor,
): Promise<ReadInput> {
  const state: { problem?: NonNullable<ResultsInput['problem']>; bytes: number } = { bytes: 0 };
  const onProblem = ({ code, line }: LineProblem) => {
    if (code === 'line.blank') rows.setBlank(line);
    else if (code === 'file.not-text') state.problem = 'notText';
    else if (code === 'file.compressed') state.problem = code;
    else if (code === 'file.array' || code === 'file.spread') state.problem = 'array';
    else if (code === 'file.empty') state.problem ??= 'empty';
  };
  try {
    if (await isCreation(path)) state.problem = 'array';
    const onLine = (line: WalkedLine) => rows.addLine(line);
    const read =
      state.problem === undefined &&
      (await checkFile(path, { signal, onProgress, onProblem, onLine, allowsRepeatedIds: true }));
    state.bytes = read ? read.bytes : await sizeOf(path);
    if (read && read.changed) state.problem ??= 'changed';
  } catch (error) {
    if (!signal.aborted) state.problem = systemCode(error) ?? 'EIO';
  }
  if (state.problem === 'array' && rows.lines === 0 && (await addRecords(path, rows, signal))) delete state.problem;
  else if (rows.lacksIds) await nameLines(path, rows, signal);
  const { problem, bytes } = state;
  const isRead = !signal.aborted && (problem === undefined || problem === 'empty');
  const since = isRead ? await compareWithSent({ path, sha256, sent, bytes, signal }) : 'unknown';
  return { path, bytes, repeatedIds: rows.repeatedIds, since, ...(problem !== undefined && { problem }) };
}

/** Adds the requests of a file that is one array, or has them over several lines. Resolves with whether there are any. */
async function addRecords(path: string, rows: JoinedRows, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const records of readRecords(path, { signal, onLongLine: () => undefined, isInput: true })) {
      for (const { text, size, offset } of records) {
        const request = parseObject(text);
        if (request && requestBody(request)) rows.addRecord(resultId(request), { start: offset, size });
      }
    }
  } catch {
    // The requests before count.
  }
  return rows.lines > 0;
}

/** Finds the ids of lines in the formats of services that do not call them `custom_id`, and those that are numbers. */
export async function nameLines(path: string, rows: JoinedRows, signal?: AbortSignal): Promise<void> {
  try {
    for await (const lines of readLines(path, { ...(signal && { signal }), onLongLine: () => undefined })) {
      for (const { bytes, number } of lines) {
        if (rows.idOf(number - 1) === '') rows.nameLine(number - 1, resultId(parseObject(bytes.toString()) ?? {}));
      }
    }
  } catch {
    // The lines that were not read have no id.
  }
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
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, signal })) hash.update(piece as Buffer);
  } catch {
    return 'unknown';
  }
  return hash.digest('hex') === sha256.toLowerCase() ? 'same' : 'changed';
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
  { rows, files, retries }: Joined,
  row: number,
): { readonly file: number; readonly start: number; readonly size: number } | undefined {
  const result = rows.resultAt(row);
  const attempt = result === undefined ? 0 : (files[result.file]?.attempt ?? 0);
  const requests = retries[attempt - 1]?.requests;
  const line = requests?.find(rows.idOf(row));
  const again = line === undefined ? undefined : requests?.lineAt(line);
  if (again) return { file: attempt, ...again };
  const place = rows.lineAt(row);
  return place && { file: 0, ...place };
}

/** Returns the number of the retry in progress that includes a row's request but has no result for it yet. */
export function retryOf({ rows, files, retries }: Joined, row: number): number | undefined {
  const id = rows.idOf(row);
  if (id === '') return undefined;
  const result = rows.resultAt(row);
  const attempt = result === undefined ? 0 : (files[result.file]?.attempt ?? 0);
  const index = retries.findLastIndex(({ isUnderWay, requests }) => isUnderWay && requests.find(id) !== undefined);
  return index < 0 || index + 1 === attempt ? undefined : index + 1;
}

class Joiner {
  readonly rows = new JoinedRows();
  readonly groups = new ErrorGroups();
  readonly properties = new AnswerProperties();
  duplicates = 0;
  /** The number of results without an id, which belong to no request. */
  nameless = 0;
  private readonly words = new Map<string, string>();

  constructor(private readonly files: readonly Growing<ResultsFile>[]) {}

  /** Throws only if aborted. */
  async read(number: number, { signal, onProgress }: ProgressMonitor): Promise<void> {
    const file = this.files[number]!;
    const badLines: BadLine[] = [];
    file.badLines = badLines;
    const addBad = (line: number, kind: BadLine['kind']) => {
      file.bad++;
      if (badLines.length < mostBadLines) badLines.push({ line, kind });
    };
    const onLongLine = (line: number) => addBad(line, 'tooLong');
    try {
      for await (const lines of readRecords(file.path, { signal, onProgress, onLongLine })) {
        for (const line of lines) {
          if (this.add(line, number, parseResult(line.text)) === undefined) {
            file.results++;
            continue;
          }
          for (const part of partsOf(line, (id) => this.rows.find(id) !== undefined)) {
            const kind = this.add(part, number, parsePart(part.text, part.isEnded));
            if (kind === undefined) file.results++;
            else addBad(part.number, kind);
          }
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      file.problem = systemCode(error) ?? (isMakingError(error) ? 'notText' : 'EIO');
    }
  }

  /** Returns why a record is not a result, or `undefined` if it is one. */
  private add(record: LineText, file: number, value: JsonObject | undefined): BadLine['kind'] | undefined {
    const { text, size, offset, number: line, isEnded } = record;
    const result = value && readResult(value);
    if (!result) {
      this.files[file]!.said ??= errorInsteadOfResults(beginning(text, longestError));
      if (value) return requestBody(value) ? 'request' : 'other';
      return !isEnded && /^\s*[[{]/.test(text) ? 'torn' : 'other';
    }
    const { customId, failure, usage, outcome, isFiltered, model, finish } = result;
    const row = customId === '' ? this.rowWithoutId(value, file) : this.rows.rowOf(customId);
    const noted = {
      file,
      offset,
      bytes: size,
      line,
      group: failure && this.groups.numberOf(failure),
      outcome,
      isFiltered,
      input: usage.input,
      output: usage.output,
      model: this.known(model),
      finish: this.known(finish),
      answer: this.properties.read(result),
    };
    const before = this.rows.resultAt(row);
    if (before && this.attemptOf(before.file) !== this.attemptOf(file)) {
      this.rows.noteRetry(row, noted);
      return undefined;
    }
    if (before) this.duplicates++;
    this.rows.note(row, noted);
    return undefined;
  }

  /** Returns the row of a request without an id that was run locally, whose line the result names; else a new row. */
  private rowWithoutId(value: JsonObject, file: number): number {
    const { rows } = this;
    const line = this.attemptOf(file) === 0 ? lineOfResult(JSON.stringify({ id: value['id'] })) : undefined;
    const row = line === undefined ? -1 : line - 1;
    const isRequest = row >= 0 && row < rows.lines && !rows.isBlank(row) && rows.idOf(row) === '';
    if (isRequest) return row;
    this.nameless++;
    return rows.addNameless();
  }

  /** Returns one text for all equal ones, because most rows have the same. */
  private known(word: string | undefined): string | undefined {
    if (word === undefined) return undefined;
    const same = this.words.get(word);
    if (same !== undefined) return same;
    const short = beginning(word, longestWord);
    if (this.words.size < mostWords) this.words.set(word, short);
    return short;
  }

  private attemptOf(file: number): number {
    return this.files[file]?.attempt ?? 0;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Kinds of failures: the same code, and messages that differ only in numbers and ids. */
export class ErrorGroups {
  readonly all: Failure[] = [];
  private readonly numbers = new Map<string, number>();

  /** Returns the number of a failure's group, from 0. */
  numberOf({ code, message }: Failure): number {
    const error = { code: beginning(code, 100), message: beginning(message, longestMessage) };
    const key = `${error.code}\n${kindOf(error.message)}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.all.length < mostGroups) return this.begin(key, error);
    const byCode = this.numbers.get(error.code);
    if (byCode !== undefined) return byCode;
    return this.all.length < mostCodes ? this.begin(error.code, error) : mostCodes - 1;
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
