import { readLine } from '../../readLine';
import type { LineChange, Lines, Work } from '../lineChange';
import { createFileNames } from '../fileNames';
import { publicService, type FileService } from '../strategy';
import { isObject } from '../../../api/isObject';
import { Unsayable } from './exactJson';
import { convertRequest, ownIdOf, requestsIn } from './toRequest';

export interface LinesConversion {
  readonly changes: readonly LineChange[];
  /** How many lines became requests. */
  readonly converted: number;
  /** How many of them name no model. */
  readonly lackModel: number;
  /** Zero-based numbers of the lines that are not requests and cannot be converted to one. */
  readonly left: readonly number[];
  /** Parts of these lines that a request of the service can't express. Names beyond the limit are omitted. */
  readonly unsayable: ReadonlySet<string>;
  /** The number of lines in which each property was omitted because a batch request can't contain it, or added because it is required. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly added: ReadonlyMap<string, number>;
}

/** Converts all lines that aren't valid batch requests of the service yet. `model` is for those that name none. */
export function* convertLines(
  lines: Lines,
  model: string | undefined,
  service: FileService = publicService,
): Work<LinesConversion> {
  const used = yield* idsIn(lines);
  const names = createFileNames({ isUsed: (id) => used.has(id), model: () => model, service });
  const changes: LineChange[] = [];
  const left: number[] = [];
  const unsayable = new Set<string>();
  const leftOut = new Map<string, number>();
  const added = new Map<string, number>();
  let converted = 0;
  let lackModel = 0;
  for (let line = 0; line < lines.lineCount; line++) {
    const text = lines.line(line) ?? '';
    yield;
    if (text.trim() === '' || isRequest(text, service)) continue;
    const texts = requestsIn(text) ?? [text];
    const found = texts.map((one) => convertRequest(one, { ...names, model, id: `request-${line + 1}` }));
    const written = found.flatMap((one) => (one === undefined || one instanceof Unsayable ? [] : [one]));
    // Either all requests of a line are converted, or none.
    if (written.length < found.length) {
      left.push(line);
      for (const one of found) if (one instanceof Unsayable && unsayable.size < mostNames) unsayable.add(one.what);
      continue;
    }
    for (const one of written) {
      converted++;
      if (one.lacksModel) lackModel++;
      const isModelLeftOut = one.model !== undefined;
      for (const name of [...one.leftOut, ...(isModelLeftOut ? ['model'] : [])])
        leftOut.set(name, (leftOut.get(name) ?? 0) + 1);
      for (const name of one.added) added.set(name, (added.get(name) ?? 0) + 1);
    }
    const fresh = written.map((one) => one.text);
    if (fresh.length !== 1 || fresh[0] !== text) changes.push({ start: line, removed: 1, added: fresh });
  }
  return { changes, converted, lackModel, left, unsayable, leftOut, added };
}

/** The names come from the file. */
const mostNames = 50;

/** Whether conversion would fix nothing in a line. */
function isRequest(text: string, { rules }: FileService): boolean {
  return readLine(text, rules).problems.every(({ code }) => !convertible.has(code));
}

const convertible: ReadonlySet<string> = new Set([
  'line.not-json',
  'line.not-object',
  'custom-id.missing',
  'custom-id.empty',
  'method.missing',
  'url.missing',
  'url.unknown',
  'body.missing',
  'body.not-object',
  'messages.missing',
]);

function* idsIn(lines: Lines): Work<ReadonlySet<string>> {
  const used = new Set<string>();
  for (let line = 0; line < lines.lineCount; line++) {
    yield;
    const id = ownId(lines.line(line) ?? '');
    if (id !== undefined) used.add(id);
  }
  return used;
}

function ownId(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const own = isObject(value) ? ownIdOf(value) : undefined;
    return typeof own === 'string' ? own : undefined;
  } catch {
    return undefined;
  }
}
