import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
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
import { reasonOf } from './reasonOf';

const synopsis =
  'node checkBatch.js <file>... [--service <name|url>] [--absolute] [--json] [--strict] [--models <file>]';
const optionWidth = 24;

function usage(): string {
  const option = (name: string, text: string) => `  ${name.padEnd(optionWidth)}${text}`;
  const services = batchServices.map(({ name }) => name).join(', ');
  return [
    l10n.t('Usage: {0}', synopsis),
    '',
    l10n.t('Checks batch files and writes one line per problem:'),
    '  file:line:column: severity code message',
    l10n.t('Lines and columns start at 1. Columns are UTF-16 units.'),
    '',
    option('--service <name|url>', l10n.t('Use the rules of this service. Defaults to SiliconFlow.')),
    option('', l10n.t('A base URL, or one of these: {0}', `${services}, unknown`)),
    option('--absolute', l10n.t('Write absolute paths.')),
    option('--json', l10n.t('Write one JSON object per problem.')),
    option('--strict', l10n.t('Exit with 1 if there are warnings.')),
    option('--models <file>', l10n.t("Report requests whose model isn't listed in this file.")),
    option('', l10n.t('One model ID per line, or the response of `GET /models`.')),
    '',
    l10n.t('Keys and requests that the service rejects are errors. Requests with warnings might be rejected.'),
    l10n.t('Exit codes: 0 if there are no errors, 1 if there are errors, 2 if a file could not be checked.'),
    '',
  ].join('\n');
}

export interface CheckOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs the command line. Resolves to the exit code; never rejects. */
export async function runCheck(args: readonly string[], { out, err }: CheckOutput): Promise<0 | 1 | 2> {
  const options = readArguments(args);
  if (typeof options === 'string') {
    err(`${options}\n\n${usage()}`);
    return 2;
  }
  if (options.help) {
    out(usage());
    return 0;
  }
  const { rules } = options;
  const severities = { ...defaultSeverities, ...rules.severities };
  const counts: Record<Severity, number> = { error: 0, warning: 0, hint: 0 };
  let requests = 0;
  let isComplete = true;
  try {
    const listed = options.models === undefined ? undefined : await readModelList(options.models);
    const models = listed ? { models: listed } : {};
    for (const file of options.files) {
      const writer = createWriter(out, (problem) =>
        toText(options.absolute ? resolve(file) : file, problem, options.json),
      );
      const onProblem = (problem: LineProblem) => {
        const { [problem.code]: stated } = severities;
        if (stated === 'off') return;
        const severity = stated === 'information' ? 'hint' : stated;
        counts[severity]++;
        writer.add({ ...problem, severity });
      };
      const result = await checkFile(file, { ...models, rules, onProblem }).catch((error: unknown) => {
        err(`${file}: ${reasonOf(error)}\n`);
      });
      writer.flush();
      requests += result?.requests ?? 0;
      if (result?.changed) err(`${file}: ${l10n.t('The file changed during the check. Check it again.')}\n`);
      isComplete &&= result !== undefined && !result.changed;
    }
  } catch (error) {
    err(`${reasonOf(error)}\n`);
    return 2;
  }
  err(`${rulesText(options)}\n`);
  err(
    `${l10n.t('Requests: {0}, errors: {1}, warnings: {2}, hints: {3}', requests, counts.error, counts.warning, counts.hint)}\n`,
  );
  if (!isComplete) return 2;
  return counts.error > 0 || (options.strict && counts.warning > 0) ? 1 : 0;
}

interface Arguments {
  readonly files: readonly string[];
  readonly absolute: boolean;
  readonly json: boolean;
  readonly strict: boolean;
  readonly models: string | undefined;
  readonly help: boolean;
  readonly rules: BatchRules;
  /** As entered by the user. */
  readonly service: string | undefined;
}

/** A problem with its severity at the service. */
interface RatedProblem extends LineProblem {
  readonly severity: Severity;
}

/** Says by which rules the files were checked. */
function rulesText({ rules, service }: Arguments): string {
  if (rules.id === 'unknown') return l10n.t('No rules for {0}. General rules apply as warnings.', service ?? '-');
  return service === undefined
    ? l10n.t('Rules: {0}. For another service, add --service.', rules.name)
    : l10n.t('Rules: {0}.', rules.name);
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
    if (!rules) return l10n.t('"{0}" isn\'t a known service or a URL.', service ?? '');
    if (positionals.length === 0 && !help) return l10n.t('No file to check. Add a path.');
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

/**
 * Reads model IDs from a file: one per line, or the JSON response of `GET /models`, which is an array of strings or of objects with `id`,
 * or an object with such an array as `data`. A `sub_type` is the purpose of a model.
 */
async function readModelList(path: string): Promise<ListedModels> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path}: ${l10n.t("Couldn't read the model list.")}`, { cause: error });
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
