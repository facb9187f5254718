import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkFile } from '../core/batch/disk/checkFile';
import { defaultSeverities, type LineProblem, type Severity } from '../core/batch/problem';
import { readFile } from 'node:fs/promises';
import type { ListedModels } from '../core/batch/fileRules';
import { isObject } from '../core/api/isObject';
import { parseJson } from '../core/api/parseJson';

const usage = `usage: node checkBatch.js <file>... [--absolute] [--json] [--strict] [--models <file>]

Checks batch files and writes every problem to standard output, one line each:
  file:line:column: severity code message
Lines and columns count from 1, columns in UTF-16 units.

  --absolute       writes full paths, as the editor's problem matcher wants them
  --json           one JSON object per problem instead
  --strict         warnings count as errors
  --models <file>  model ids, one per line or as \`GET /models\` answers them: others are errors

An error is what the service refuses, or a key; a warning what it may refuse, or take otherwise than it is meant.
Exit code 0: no error, 1: at least one error, 2: something could not be checked.
`;

export interface CheckOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs the command line. Resolves to the exit code; never rejects. */
export async function runCheck(args: readonly string[], { out, err }: CheckOutput): Promise<0 | 1 | 2> {
  const wanted = readArguments(args);
  if (typeof wanted === 'string') {
    err(`${wanted}\n\n${usage}`);
    return 2;
  }
  if (wanted.help) {
    out(usage);
    return 0;
  }
  const counts: Record<Severity, number> = { error: 0, warning: 0, hint: 0 };
  let requests = 0;
  let isComplete = true;
  try {
    const listed = wanted.models === undefined ? undefined : await readModelList(wanted.models);
    const models = listed ? { models: listed } : {};
    for (const file of wanted.files) {
      const writer = createWriter(out, (problem) =>
        toText(wanted.absolute ? resolve(file) : file, problem, wanted.json),
      );
      const onProblem = (problem: LineProblem) => {
        counts[defaultSeverities[problem.code]]++;
        writer.add(problem);
      };
      const result = await checkFile(file, { ...models, onProblem }).catch((error: unknown) => {
        err(`${file}: ${reasonOf(error)}\n`);
      });
      writer.flush();
      requests += result?.requests ?? 0;
      if (result?.changed) err(`${file}: It was written to while it was checked. Check it again.\n`);
      isComplete &&= result !== undefined && !result.changed;
    }
  } catch (error) {
    err(`${reasonOf(error)}\n`);
    return 2;
  }
  err(`${requests} requests, ${counts.error} errors, ${counts.warning} warnings, ${counts.hint} hints\n`);
  if (!isComplete) return 2;
  return counts.error > 0 || (wanted.strict && counts.warning > 0) ? 1 : 0;
}

interface Arguments {
  readonly files: readonly string[];
  readonly absolute: boolean;
  readonly json: boolean;
  readonly strict: boolean;
  readonly models: string | undefined;
  readonly help: boolean;
}

/** Returns the parsed arguments, or what is wrong with them. */
function readArguments(args: readonly string[]): Arguments | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        absolute: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        models: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { absolute, json, strict, models, help } = values;
    if (positionals.length === 0 && !help) return 'Which file is to be checked?';
    return { files: positionals, absolute, json, strict, models, help };
  } catch (error) {
    return reasonOf(error);
  }
}

function toText(file: string, { code, line, span, message }: LineProblem, asJson: boolean): string {
  const place = { line: line + 1, column: span.start + 1 };
  const severity = defaultSeverities[code];
  if (asJson) return `${JSON.stringify({ file, ...place, endColumn: span.end + 1, severity, code, message })}\n`;
  return `${file}:${place.line}:${place.column}: ${severity} ${code} ${message}\n`;
}

const writtenAtOnce = 1 << 16;

/** Buffers the output, because one write for each of a million problems would take most of the time. */
function createWriter(out: (text: string) => void, toLine: (problem: LineProblem) => string) {
  let gathered = '';
  const flush = () => {
    if (gathered !== '') out(gathered);
    gathered = '';
  };
  return {
    add(problem: LineProblem) {
      gathered += toLine(problem);
      if (gathered.length > writtenAtOnce) flush();
    },
    flush,
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'There is no such file.';
  if (code === 'EACCES' || code === 'EPERM') return 'It may not be read.';
  if (code === 'EISDIR') return 'This is not a file.';
  return error.message;
}

/**
 * Reads model ids from a file: one per line, or the JSON response of `GET /models`, that is an array of strings or of objects with `id`, or
 * an object with such an array as `data`. An object whose `sub_type` is not `chat` is not a chat model.
 */
async function readModelList(path: string): Promise<ListedModels> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path}: The list of models could not be read.`, { cause: error });
  });
  const value = parseJson(text);
  const list = isObject(value) ? value['data'] : value;
  const items: readonly unknown[] = Array.isArray(list) ? list : text.split(/\r?\n/).map((line) => line.trim());
  return new Map(
    items.flatMap((item): readonly [string, boolean][] => {
      const { id, sub_type: use = 'chat' } = isObject(item) ? item : { id: item };
      return typeof id === 'string' && id !== '' ? [[id, use === 'chat']] : [];
    }),
  );
}
