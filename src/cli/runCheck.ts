import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkFile } from '../core/batch/disk/checkFile';
import { defaultSeverities, type LineProblem, type Severity } from '../core/batch/problem';
import { readFile } from 'node:fs/promises';
import type { ListedModel, ListedModels } from '../core/batch/fileRules';
import type { BatchRules } from '../core/batch/services/batchRules';
import { batchServiceNamed, batchServiceOf } from '../core/batch/services/batchServiceOf';
import { batchServices } from '../core/batch/services/batchServices';
import { knownJobs } from '../core/catalogue/jobs';
import { subTypes } from '../core/catalogue/model';
import { isObject } from '../core/api/isObject';
import { parseJson } from '../core/api/parseJson';

const usage = `usage: node checkBatch.js <file>... [--service <name|url>] [--absolute] [--json] [--strict] [--models <file>]

Checks batch files and writes one line per problem to standard output:
  file:line:column: severity code message
Lines and columns start at 1. Columns are UTF-16 units.

  --service <name|url>
                   Use the rules of this service: ${batchServices.map(({ name }) => name).join(', ')},
                   "unknown", or a base URL. Defaults to SiliconFlow.
  --absolute       Write absolute paths.
  --json           Write one JSON object per problem.
  --strict         Exit with 1 if there are warnings.
  --models <file>  Report models that are not listed in this file, which contains one model ID per
                   line or the response of \`GET /models\`.

Errors are requests that the service rejects, and keys. Warnings might be rejected or misunderstood.
Exit codes: 0 if there are no errors, 1 if there are errors, 2 if a file could not be checked.
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
  const { rules } = wanted;
  const severities = { ...defaultSeverities, ...rules.severities };
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
        const severity = severities[problem.code];
        if (severity === 'off') return;
        counts[severity]++;
        writer.add({ ...problem, severity });
      };
      const result = await checkFile(file, { ...models, rules, onProblem }).catch((error: unknown) => {
        err(`${file}: ${reasonOf(error)}\n`);
      });
      writer.flush();
      requests += result?.requests ?? 0;
      if (result?.changed) err(`${file}: The file changed while it was being checked. Check it again.\n`);
      isComplete &&= result !== undefined && !result.changed;
    }
  } catch (error) {
    err(`${reasonOf(error)}\n`);
    return 2;
  }
  err(`${rulesText(wanted)}\n`);
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
  readonly rules: BatchRules;
  /** As it was given. */
  readonly service: string | undefined;
}

/** A problem with its severity at the service. */
interface RatedProblem extends LineProblem {
  readonly severity: Severity;
}

/** Says by which rules the files were checked. */
function rulesText({ rules, service }: Arguments): string {
  if (rules.id === 'unknown')
    return `The rules of ${service ?? 'this service'} are unknown. Possible differences are reported as warnings.`;
  return `Checked by the rules of ${rules.name}.${service === undefined ? ' For another service, add --service.' : ''}`;
}

/** Returns the rules of a service by its name or base URL; `undefined` if it is neither. */
function rulesFor(service: string | undefined): BatchRules | undefined {
  if (service === undefined) return batchServiceOf(undefined);
  const isUrl = /^https?:\/\//i.test(service) && URL.canParse(service);
  return batchServiceNamed(service) ?? (isUrl ? batchServiceOf(service) : undefined);
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
        service: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { absolute, json, strict, models, service, help } = values;
    const rules = rulesFor(service);
    if (!rules) return `"${service}" is neither the name of a known service nor a URL.`;
    if (positionals.length === 0 && !help) return 'No file to check. Add at least one path.';
    return { files: positionals, absolute, json, strict, models, help, rules, service };
  } catch (error) {
    return reasonOf(error);
  }
}

function toText(file: string, { code, line, span, message, severity }: RatedProblem, asJson: boolean): string {
  const place = { line: line + 1, column: span.start + 1 };
  if (asJson) return `${JSON.stringify({ file, ...place, endColumn: span.end + 1, severity, code, message })}\n`;
  return `${file}:${place.line}:${place.column}: ${severity} ${code} ${message}\n`;
}

const writtenAtOnce = 1 << 16;

/** Buffers the output, because one write for each of a million problems would take most of the time. */
function createWriter(out: (text: string) => void, toLine: (problem: RatedProblem) => string) {
  let gathered = '';
  const flush = () => {
    if (gathered !== '') out(gathered);
    gathered = '';
  };
  return {
    add(problem: RatedProblem) {
      gathered += toLine(problem);
      if (gathered.length > writtenAtOnce) flush();
    },
    flush,
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return "The file doesn't exist.";
  if (code === 'EACCES' || code === 'EPERM') return "You don't have permission to read the file.";
  if (code === 'EISDIR') return 'This is not a file.';
  return error.message;
}

/**
 * Reads model ids from a file: one per line, or the JSON response of `GET /models`, that is an array of strings or of objects with `id`, or
 * an object with such an array as `data`. A `sub_type` says what a model is for.
 */
async function readModelList(path: string): Promise<ListedModels> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path}: The model list could not be read.`, { cause: error });
  });
  const value = parseJson(text);
  const list = isObject(value) ? value['data'] : value;
  const items: readonly unknown[] = Array.isArray(list) ? list : text.split(/\r?\n/).map((line) => line.trim());
  return new Map(
    items.flatMap((item): readonly [string, ListedModel][] => {
      const { id, sub_type: use, context_length: context } = isObject(item) ? item : { id: item };
      if (typeof id !== 'string' || id === '') return [];
      const types = subTypes.filter((one) => one === use);
      const jobs =
        typeof use === 'string'
          ? { jobs: (types.length > 0 && knownJobs({ id, types: [], subTypes: types })) || [] }
          : {};
      return [[id, { ...jobs, ...(typeof context === 'number' && { context }) }]];
    }),
  );
}
