import * as l10n from '@vscode/l10n';
import { stringify } from 'yaml';
import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import { requestedVariables } from '../../prompts/fillPrompt';
import { readPrompt } from '../../prompts/readPrompt';
import { canonicalJson } from '../evalPlan';
import { parameterNames } from './providers';
import { readRowFile } from './rowFiles';

/** The file that an eval is made from. */
export interface EvalSource {
  /** Without folders. */
  readonly name: string;
  readonly text: string;
  /** Used if the file names no model. */
  readonly model: string | undefined;
}

/** An eval file and, if its rows aren't those of the source, the file that they are in. */
export interface NewEval {
  readonly config: string;
  readonly rows?: { readonly ending: '.rows.csv' | '.rows.jsonl'; readonly text: string };
}

type Assertion = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

const mostModels = 5;
/** The properties of lines besides their requests are limited, because lines with unique names would fill a table with empty cells. */
const mostColumns = 100;
/** Values of a column that are few and short are labels. */
const mostLabels = 20;
const longestLabel = 40;
/** Stands for the name of the file of rows, which is only known once it is written. */
export const rowsName = 'ROWS';

/**
 * Makes an eval of a batch file, a table, or a prompt file. It runs without edits: columns with expected values become assertions, and
 * without one, responses are checked for being complete. Returns why that isn't possible as text.
 */
export function newEval({ name, text, model }: EvalSource): NewEval | string {
  const noModel = l10n.t('No model is available. Sign in, then try again.');
  if (/\.desk\.md$/i.test(name)) return ofPromptFile(name, text, model) ?? noModel;
  const lines = /\.csv$/i.test(name) ? [] : requestsIn(text);
  if (lines.length > 0) return ofBatch(name, lines);
  const { rows, problem } = readRowFile(text, name);
  if (rows.length === 0) return problem ?? l10n.t('The file has no rows.');
  if (rows.every(({ vars }) => vars.has('custom_id') && (isObject(vars.get('body')) || isObject(vars.get('params')))))
    return l10n.t('The file has no chat requests.');
  return model === undefined ? noModel : ofTable(name, rows, model);
}

interface Request {
  readonly id: string | undefined;
  readonly body: Values;
  /** Properties of a line besides the request, such as the expected answer. */
  readonly others: Values;
}

/** The chat requests in a batch file. Other lines are omitted. */
function requestsIn(text: string): readonly Request[] {
  return text.split(/\r?\n/).flatMap((line): readonly Request[] => {
    const value = parseJson(line.replace(/^\uFEFF/, ''));
    if (!isObject(value)) return [];
    const { custom_id: id, method: _, url: __, body, params, ...others } = value;
    const request = isObject(body) ? body : isObject(params) ? params : undefined;
    if (!request || !Array.isArray(request['messages']) || request['messages'].length === 0) return [];
    const plain = Object.entries({ ...others, ...(isObject(others['metadata']) && others['metadata']) }).filter(
      ([, one]) => typeof one === 'string' || typeof one === 'number',
    );
    return [{ id: typeof id === 'string' ? id : undefined, body: request, others: Object.fromEntries(plain) }];
  });
}

const hasMarks = (text: string) => /\{[{%#]/.test(text);

function ofBatch(name: string, requests: readonly Request[]): NewEval {
  const first = requests[0]!;
  const messages = messagesOf(first.body);
  const before = canonicalJson(messages.slice(0, -1));
  // Braces in a row would be filled like placeholders.
  const isText = (one: unknown) =>
    isObject(one) && one['role'] === 'user' && typeof one['content'] === 'string' && !hasMarks(one['content']);
  const isUniform =
    !hasMarks(before) &&
    requests.every(({ body }) => {
      const own = messagesOf(body);
      return isText(own.at(-1)) && canonicalJson(own.slice(0, -1)) === before;
    });
  const columns = [...new Set(requests.flatMap(({ others }) => Object.keys(others)))]
    .filter((column) => !['id', 'question', 'messages'].includes(column))
    .slice(0, mostColumns);
  const rowOf = ({ id, body, others }: Request): Values => {
    const own = messagesOf(body);
    const last = own.at(-1);
    const asked = isUniform && isObject(last) ? { question: last['content'] } : { messages: own };
    return {
      ...(id !== undefined && { id }),
      ...asked,
      ...Object.fromEntries(columns.map((one) => [one, others[one] ?? ''])),
    };
  };
  const rows = requests.map(rowOf);
  const prompt = !isUniform
    ? '{{messages}}'
    : messages.length === 1
      ? '{{question}}'
      : JSON.stringify([...messages.slice(0, -1), { role: 'user', content: '{{question}}' }], undefined, 2);
  const models = [
    ...new Set(requests.map(({ body }) => (typeof body['model'] === 'string' ? body['model'] : ''))),
  ].filter(Boolean);
  const parameters = Object.entries(first.body).filter(([key]) => parameterNames.has(key));
  const isSame = ([key, value]: readonly [string, unknown]) =>
    requests.every(({ body }) => canonicalJson(body[key] ?? null) === canonicalJson(value));
  const shared = Object.fromEntries(parameters.filter(isSame));
  const names = ['id', isUniform ? 'question' : 'messages', ...columns];
  const lines = [names, ...rows.map((row) => names.map((one) => cellOf(row[one])))];
  const csv = () => lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
  return {
    config: configText({
      name,
      prompts: [{ label: l10n.t('current'), raw: prompt }],
      models,
      parameters: shared,
      assertions: assertionsOf(rows),
      tests: `file://${rowsName}`,
    }),
    rows: isUniform
      ? { ending: '.rows.csv', text: csv() }
      : { ending: '.rows.jsonl', text: `${rows.map((row) => JSON.stringify(row)).join('\n')}\n` },
  };
}

/** The messages of a request, with the separate system prompt of the Messages API. */
function messagesOf({ messages, system }: Values): readonly unknown[] {
  const own = Array.isArray(messages) ? (messages as readonly unknown[]) : [];
  const hasSystem = (typeof system === 'string' && system !== '') || (Array.isArray(system) && system.length > 0);
  return hasSystem ? [{ role: 'system', content: system }, ...own] : own;
}

/** A cell as it is: without the apostrophe that exports put before formulas, which would be sent to the model. */
function quoted(cell: string): string {
  return cell === '' || /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function cellOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function ofTable(name: string, rows: ReturnType<typeof readRowFile>['rows'], model: string): NewEval | string {
  const values = rows.map(({ vars }): Values => Object.fromEntries(vars));
  const expected = expectedColumn(values);
  const hasOwn = rows.some(({ expectations }) => expectations.length > 0);
  const input = inputColumn(values, expected);
  // Otherwise, only empty prompts would be sent.
  if (input === undefined) return l10n.t('The first line has no usable column names. Separate them with commas.');
  const labels = expected === undefined ? [] : labelsOf(values, expected);
  const place = `{{${input}}}`;
  const plain = { label: l10n.t('current'), raw: place };
  const choice = {
    label: l10n.t('labels'),
    raw: `${l10n.t('Answer with only one of these labels: {0}', labels.join(', '))}\n\n${place}`,
  };
  return {
    config: configText({
      name,
      prompts: [labels.length > 1 ? choice : plain],
      models: [model],
      parameters: { temperature: 0 },
      assertions: hasOwn ? [] : assertionsOf(values),
      tests: `file://${name}`,
    }),
  };
}

function ofPromptFile(name: string, text: string, model: string | undefined): NewEval | undefined {
  const { prompt } = readPrompt(text);
  const own = prompt.models.length > 0 ? prompt.models : prompt.model ? [prompt.model] : [];
  const models = own.length > 0 ? own.map(({ id }) => id) : model === undefined ? [] : [model];
  if (models.length === 0) return undefined;
  const variables = requestedVariables(prompt);
  const varied = variables.find(({ options }) => options.length > 1);
  const valueOf = (one: (typeof variables)[number]) => one.default ?? one.options[0] ?? one.description ?? one.name;
  const base = Object.fromEntries(variables.map((one) => [one.name, valueOf(one)]));
  const tests = (varied?.options ?? ['']).slice(0, mostLabels).map((option) => ({
    vars: { ...base, ...(varied && { [varied.name]: option }) },
  }));
  return {
    config: configText({
      name,
      prompts: [`file://${name}`],
      models,
      parameters: {},
      assertions: assertionsOf([]),
      tests,
      ...(variables.length > 0 && { note: l10n.t('Replace these values with real ones, and add more rows.') }),
    }),
  };
}

interface Parts {
  readonly name: string;
  readonly prompts: readonly unknown[];
  readonly models: readonly string[];
  readonly parameters: Values;
  readonly assertions: readonly Assertion[];
  readonly tests: unknown;
  readonly note?: string;
}

function configText({ name, prompts, models, parameters, assertions, tests, note }: Parts): string {
  const hasParameters = Object.keys(parameters).length > 0;
  const providers = models.slice(0, mostModels).map((model) => {
    const id = `openai:chat:${model}`;
    return hasParameters ? { id, config: parameters } : id;
  });
  const part = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  const comment = (text: string) => `# ${text.replaceAll(/\s+/g, ' ')}`;
  return [
    comment(l10n.t('Choose Smoke Test or Run Eval above this line.')),
    part({ description: name }),
    comment(l10n.t('Add a second prompt or model to compare it with the first one.')),
    part({ prompts }),
    part({ providers }),
    comment(l10n.t('Requirements for each response')),
    ...(assertions.length > 0 ? [part({ defaultTest: { assert: assertions } })] : []),
    ...(note === undefined ? [] : [comment(note)]),
    part({ tests }),
    '',
  ].join('\n');
}

const expectedNames =
  'expected expected_output expected_answer ideal gold ground_truth reference target label answer correct_answer correct category class intent sentiment completion output'.split(
    ' ',
  );
const inputNames = ['question', 'input', 'prompt', 'query', 'text', 'message', 'instruction', 'request', 'content'];

const plainName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** The name of a column that is a placeholder as it is. */
const isPlace = (name: string) => /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name);

function namesOf(rows: readonly Values[]): readonly string[] {
  return [...new Set(rows.slice(0, 1000).flatMap((row) => Object.keys(row)))].filter((name) => isPlace(name));
}

/** The column with what the response should be: one with a usual name, and a value in most rows. */
function expectedColumn(rows: readonly Values[]): string | undefined {
  const names = namesOf(rows);
  const isFilled = (name: string) => rows.filter((row) => cellOf(row[name]).trim() !== '').length > rows.length / 2;
  for (const known of expectedNames) {
    const found = names.find((name) => plainName(name) === known);
    if (found !== undefined && isFilled(found)) return found;
  }
  return undefined;
}

/** The input column: one with a usual name, or else the one with the longest texts. `undefined` if no name can be a placeholder. */
function inputColumn(rows: readonly Values[], expected: string | undefined): string | undefined {
  const all = namesOf(rows);
  const names = all.filter((name) => name !== expected && !/^(?:id|group)$/i.test(name));
  for (const known of inputNames) {
    const found = names.find((name) => plainName(name) === known);
    if (found !== undefined) return found;
  }
  const lengths = new Map<string, number>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) lengths.set(name, (lengths.get(name) ?? 0) + cellOf(value).length);
  return names.toSorted((a, b) => (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0))[0] ?? expected ?? all[0];
}

/** The labels in a column; empty if its values are something else. */
function labelsOf(rows: readonly Values[], column: string): readonly string[] {
  const values = rows.map((row) => cellOf(row[column]).trim()).filter((one) => one !== '');
  const labels = [...new Set(values)];
  const isLabel = (one: string) => one.length <= longestLabel && !/[\n{}]/.test(one) && !/^[-\d.,%\s]+$/.test(one);
  // With a different label in each row, they are answers.
  const isRepeated = labels.length <= Math.min(mostLabels, values.length / 2);
  return isRepeated && labels.every((one) => isLabel(one)) ? labels.toSorted() : [];
}

/** How responses are graded by the column with what they should be. Long texts by their meaning. */
function assertionsOf(rows: readonly Values[]): readonly Assertion[] {
  const expected = rows.length === 0 ? undefined : expectedColumn(rows);
  // A polite apology would count as a refusal, so only empty and incomplete responses fail.
  if (expected === undefined)
    return [
      { type: 'regex', value: String.raw`\S` },
      { type: 'finish-reason', value: 'stop' },
    ];
  const value = `{{${expected}}}`;
  if (labelsOf(rows, expected).length > 1) return [{ type: 'icontains', value }];
  const texts = rows.map((row) => cellOf(row[expected]));
  if (texts.every((text) => /^\s*[{[]/.test(text) && parseJson(text) !== undefined)) return [{ type: 'is-json' }];
  const average = texts.reduce((sum, one) => sum + one.length, 0) / Math.max(1, texts.length);
  return [average > 2 * longestLabel ? { type: 'similar', value } : { type: 'icontains', value }];
}
