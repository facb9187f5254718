import * as l10n from '@vscode/l10n';
import { mostConfigBytes, mostRowBytes, namesOfRow, tableFile } from './evalConfig';
import type { EvalAssertion, EvalConfig, EvalFiles, EvalPrompt, EvalProvider, EvalRow } from './evalConfig';
import { isOpenAiEval, readOpenAiEval } from './formats/openAiEvals';
import { inspectText, isInspectLog, readInspectLog } from './formats/inspect';
import { parquetLines } from './formats/parquet';
import { promptFile } from './formats/promptFile';
import { readPromptfoo } from './formats/promptfoo';
import { readType } from './formats/assertions';
import { readRowFile } from './formats/rowFiles';

/** What is given apart from the file, and replaces what is in it. */
export interface EvalAdditions {
  /** Model IDs of the account. */
  readonly models?: readonly string[];
  /** Paths of prompt files, relative to the config. */
  readonly prompts?: readonly string[];
  /** Path of a CSV, JSONL, or Parquet file with rows, relative to the config. */
  readonly rows?: string;
}

/**
 * Reads an eval by the name and content of its file: a promptfoo config, an OpenAI eval, rows as CSV, JSONL, or Parquet, or a prompt file.
 * `text` is what `path` contains.
 */
export async function readEval(
  path: string,
  text: string,
  files: EvalFiles,
  { models = [], prompts = [], rows }: EvalAdditions = {},
): Promise<EvalConfig> {
  const isTable = tableFile.test(path) || isInspectLog(text);
  const isUnpacked = /\.parquet$/i.test(path);
  const isTooLarge = !isUnpacked && Buffer.byteLength(text) > (isTable ? mostRowBytes : mostConfigBytes);
  const config = isTooLarge ? tooLarge(isTable) : await readByName(path, text, files);
  const problems = [...config.problems];
  const add = (message: string, file: string) =>
    problems.push({ kind: 'error', path: '', span: { start: 0, end: 1 }, message: `${file}: ${message}` });
  const texts = async (file: string) => {
    const read = await files.read(file);
    if ('text' in read) return read.text;
    add(l10n.t("Couldn't read the file."), file);
    return undefined;
  };
  let more: readonly EvalRow[] | undefined;
  if (rows !== undefined) {
    const rowText = await texts(rows);
    const reading = rowText === undefined ? undefined : readRowFile(rowText, rows);
    if (reading?.problem !== undefined) add(reading.problem, rows);
    more = reading && rowsWith(reading.rows, config.rows[0]?.assertions ?? []);
  }
  const own: EvalPrompt[] = [];
  const named: string[] = [...models];
  for (const file of prompts) {
    const promptText = await texts(file);
    if (promptText === undefined) continue;
    const prompt = /\.desk\.md$/i.test(file)
      ? promptFile(promptText, file)
      : { label: file, text: promptText.trim(), canRun: true };
    own.push(prompt);
    if (models.length === 0 && 'models' in prompt) for (const model of prompt.models) named.push(model);
  }
  const providers = [...new Set(named)].map((model): EvalProvider => ({
    label: model,
    kind: 'service',
    model,
    parameters: {},
  }));
  return {
    ...config,
    ...(more && { rows: more }),
    ...(own.length > 0 && { prompts: own }),
    ...(providers.length > 0 && { providers }),
    problems,
  };
}

/** The text of an eval file: what it contains, or what is in it if it is an archive or Parquet. Rejects if that can't be read. */
export async function evalText(path: string, bytes: Uint8Array): Promise<string> {
  if (/\.parquet$/i.test(path)) return parquetLines(bytes);
  return /\.eval$/i.test(path) ? inspectText(bytes) : new TextDecoder().decode(bytes);
}

async function readByName(path: string, text: string, files: EvalFiles): Promise<EvalConfig> {
  if (tableFile.test(path)) {
    const { rows, problem } = readRowFile(text, path);
    const message = problem ?? (rows.length === 0 ? l10n.t('The file has no rows.') : undefined);
    const problems =
      message === undefined ? [] : [{ kind: 'error', path: '', span: { start: 0, end: 1 }, message } as const];
    return { prompts: [], providers: [], rows: rowsWith(rows, []), problems };
  }
  if (/\.desk\.md$/i.test(path)) {
    const { models, ...prompt } = promptFile(text, path.replace(/^.*[\\/]/, ''));
    const providers = models.map((model): EvalProvider => ({ label: model, kind: 'service', model, parameters: {} }));
    return { prompts: [prompt], providers, rows: [], problems: [] };
  }
  if (isInspectLog(text)) return readInspectLog(text);
  return isOpenAiEval(text) ? readOpenAiEval(text) : readPromptfoo(text, files);
}

function tooLarge(isTable: boolean): EvalConfig {
  const message = isTable
    ? l10n.t('The file is larger than {0} MB.', mostRowBytes / 1_000_000)
    : l10n.t(
        'The file is larger than {0} MB. Move its rows to a CSV or JSONL file, and add that file to "tests".',
        mostConfigBytes / 1_000_000,
      );
  return {
    prompts: [],
    providers: [],
    rows: [],
    problems: [{ kind: 'error', path: '', span: { start: 0, end: 1 }, message }],
  };
}

/** Rows of a file with the expectations in their columns, and with those of the config. */
function rowsWith(
  rows: ReturnType<typeof readRowFile>['rows'],
  assertions: readonly EvalAssertion[],
): readonly EvalRow[] {
  return rows.map(({ vars, expectations, threshold, description, metric, prefix, suffix, output, gold }) => {
    const own = expectations.map(({ type, value, threshold: limit }): EvalAssertion => {
      const reading = readType(type);
      return {
        ...reading,
        value,
        weight: 1,
        members: [],
        isBlocked: reading.class === 'code',
        ...(limit !== undefined && { threshold: limit }),
        ...(metric !== undefined && { metric }),
      };
    });
    return {
      vars: new Map([...vars, ['item', Object.fromEntries(vars)]]),
      assertions: [...assertions, ...own],
      ...(threshold !== undefined && { threshold }),
      ...(description !== undefined && { description }),
      ...(prefix !== undefined && { prefix }),
      ...(suffix !== undefined && { suffix }),
      ...(output !== undefined && { output }),
      ...(gold && { gold }),
      ...namesOfRow(vars),
    };
  });
}
