import type { ProgressMonitor } from '../../async/progressMonitor';
import type { CellValue } from './answerValues';
import { referenceColumn, type ColumnGroup, type ResultsColumn } from './columns';
import { MakingError } from '../making/makingError';
import { writingWords, markdownWords } from '../words/resultWords';
import { parseObject, textOf, toJson } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';
import { fenced, quoted } from '../trial/markdown';
import type { ResultsTable } from './resultsTable';
import { writeRows } from './writeRows';
import { messagesIn, requestBody } from '../preview/lineContent';
import { isChat, readChoices, choiceText } from './resultChoices';
import type { Choice } from './resultChoices';
import { readResultLine, failureText } from './rowTexts';
import type { RowTexts } from './rowTexts';
import type { Failure } from './resultLine';
import type { ResultState, RowPart } from './resultsView';

export type ExportFormat = 'jsonl' | 'csv' | 'markdown';

export interface ExportRequest {
  readonly format: ExportFormat;
  /** The rows shown, in order, or all rows. */
  readonly what: 'shown' | 'all';
  readonly target: string;
  /** The ids of the columns to export; everything if absent. */
  readonly columns?: readonly string[];
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

export interface ExportResult {
  readonly rows: number;
  readonly bytes: number;
}

interface Form {
  readonly header: (() => string) | undefined;
  readonly row: (row: ExportedRow) => string;
}

function formOf(format: ExportFormat, further: readonly FurtherColumn[]): Form {
  switch (format) {
    case 'jsonl':
      return { header: undefined, row: (row) => toJsonLine(row, further) };
    case 'csv':
      return {
        header: () => `\ufeff${csvLine([...columns, ...further.map(({ name }) => name)])}`,
        row: (row) => csvLine([...csvCells(row), ...further.map(({ valueOf }) => valueOf(row.row))]),
      };
    case 'markdown':
      return { header: markdownHeader, row: (row) => toMarkdown(row, further) };
  }
}

/** An optional column: of the batch file's source table, or of JSON answers. */
interface FurtherColumn {
  /** Unique, also among `columns`. */
  readonly name: string;
  readonly group: ColumnGroup;
  readonly label: string;
  readonly valueOf: (row: number) => CellValue;
}

function furtherColumns({ columns: own }: ResultsTable): readonly FurtherColumn[] {
  const names = new Set<string>([...columns, expectedName]);
  const further = own.all
    .filter(({ group }) => group !== 'run')
    .map(({ id, group, label }): FurtherColumn => {
      const name = unusedName(label, group, names);
      return { name, group, label, valueOf: (row) => exactValue(own.fullValue(id, row)) };
    });
  const valueOf = (row: number) => markOf(own.isAsExpected(row));
  return own.hasExpected ? [...further, { name: expectedName, group: 'run', label: expectedName, valueOf }] : further;
}

/** Returns a name for a column that is not in `names` yet, and adds it. */
export function unusedName(label: string, group: ColumnGroup, names: Set<string>): string {
  let name = names.has(label) ? `${group}.${label}` : label;
  while (names.has(name)) name += '_';
  names.add(name);
  return name;
}

const expectedName = 'as_expected';

function markOf(isAsExpected: boolean | undefined): CellValue {
  return isAsExpected === undefined ? undefined : String(isAsExpected);
}

/** The columns of a run under the names that an export of everything has for them. */
const runNames: Readonly<Record<string, string>> = {
  'run:customId': 'custom_id',
  'run:finish': 'finish_reason',
  'run:tokens': 'total_tokens',
  'run:tokensIn': 'prompt_tokens',
  'run:tokensOut': 'completion_tokens',
};

const reference: ResultsColumn = {
  id: referenceColumn,
  group: 'reference',
  label: 'reference_answer',
  kind: 'text',
  share: 1,
};

interface ChosenColumn {
  readonly name: string;
  readonly valueOf: (row: ExportedRow) => CellValue;
}

function chosenColumns(table: ResultsTable, ids: readonly string[]): readonly ChosenColumn[] {
  const { columns: own } = table;
  const chosen = ids.flatMap(
    (id) => (id === referenceColumn ? reference : own.all.find((column) => column.id === id)) ?? [],
  );
  const names = new Set<string>();
  const fields = chosen.map(({ id, group, label }): ChosenColumn => {
    const name = unusedName(runNames[id] ?? label, group, names);
    if (id === referenceColumn) return { name, valueOf: ({ row }) => table.referenceAnswer(row) };
    return { name, valueOf: (row) => chosenValue(own, id, row) };
  });
  if (!own.hasExpected || !ids.includes(own.marked) || names.has(expectedName)) return fields;
  return [...fields, { name: expectedName, valueOf: ({ row }) => markOf(own.isAsExpected(row)) }];
}

/** Exports the given columns as a table. */
function chosenForm(format: ExportFormat, chosen: readonly ChosenColumn[]): Form {
  const names = chosen.map(({ name }) => name);
  const cellsOf = (row: ExportedRow) => chosen.map(({ valueOf }) => valueOf(row));
  switch (format) {
    case 'jsonl':
      return {
        header: undefined,
        row: (row) => toJson(Object.fromEntries(chosen.map(({ name, valueOf }) => [name, valueOf(row) ?? null]))),
      };
    case 'csv':
      return { header: () => `\ufeff${csvLine(names)}`, row: (row) => csvLine(cellsOf(row)) };
    case 'markdown':
      return {
        header: () => `${markdownRow(names.map(escaped))}\n${markdownRow(names.map(() => '---'))}`,
        row: (row) => markdownRow(cellsOf(row).map((cell) => escaped(String(cell ?? '').trim()))),
      };
  }
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function chosenValue(own: ResultsTable['columns'], id: string, row: ExportedRow): CellValue {
  if (id === 'run:request') return row.question;
  if (id === 'run:answer') return row.failure ? failureText(row.failure) : answerOf(row);
  return exactValue(own.fullValue(id, row.row));
}

/** Returns a text that is a number as one, so that a spreadsheet does not get it with an apostrophe. */
function exactValue(value: CellValue): CellValue {
  return typeof value === 'string' && value.startsWith('-') && String(Number(value)) === value ? Number(value) : value;
}

function answerOf({ other, choices }: ExportedRow): string {
  return other ? toJson(other) : choices.map(choiceText).join('\n\n');
}

/** The most characters of rows to copy. */
const mostCopied = 10_000_000;

/** Returns the rows shown as tab-separated values with a header, for a spreadsheet: up to ten million characters of them. */
export function copyRows(
  table: ResultsTable,
  ids: readonly string[],
): { readonly text: string; readonly rows: number } {
  const chosen = chosenColumns(table, ids);
  const lines = [
    separated(
      chosen.map(({ name }) => name),
      '\t',
    ),
  ];
  let size = 0;
  for (const row of table.rowsOf('shown')) {
    const exported = readExported(table.part(row), table.texts(row));
    const line = separated(
      chosen.map(({ valueOf }) => valueOf(exported)),
      '\t',
    );
    size += line.length;
    if (size > mostCopied) break;
    lines.push(line);
  }
  return { text: `${lines.join('\n')}\n`, rows: lines.length - 1 };
}

/** Writes requests next to their results. Throws a `MakingError` if the file can't be written. */
export async function exportResults(
  table: ResultsTable,
  { format, what, target, replace, columns: ids }: ExportRequest,
  monitor: ProgressMonitor<[part: number]>,
): Promise<ExportResult> {
  const rows = table.rowsOf(what);
  if (rows.length === 0) throw new MakingError(writingWords.nothing());
  const form = ids ? chosenForm(format, chosenColumns(table, ids)) : formOf(format, furtherColumns(table));
  const { header, row: toText } = form;
  const { bytes } = await writeRows(table, {
    ...monitor,
    target,
    replace,
    rows,
    before: (file) => header && file.line(Buffer.from(header())),
    row: (row, file) => file.line(Buffer.from(toText(readExported(table.part(row), table.texts(row))))),
  });
  return { rows: rows.length, bytes };
}

/** A request and its result for export, with complete texts. */
interface ExportedRow {
  readonly row: number;
  readonly customId: string;
  readonly state: ResultState;
  readonly isFailed: boolean;
  readonly isFiltered: boolean;
  /** The line in the input, from 1. */
  readonly line: number | undefined;
  /** The request's body, or the line as it is if it has none. */
  readonly request: JsonObject | string | undefined;
  /** The last user message. */
  readonly question: string;
  readonly choices: readonly Choice[];
  /** A body that is not a chat response. */
  readonly other: JsonObject | undefined;
  readonly failure: Failure | undefined;
  readonly status: number | undefined;
  readonly model: string | undefined;
  readonly tokensIn: number | undefined;
  readonly tokensOut: number | undefined;
  readonly isTooLong: boolean;
}

function readExported(part: RowPart, texts: RowTexts & { readonly isTooLong: boolean }): ExportedRow {
  const line = texts.request === undefined ? undefined : parseObject(texts.request);
  const body = line && requestBody(line);
  const result = readResultLine(texts.result);
  const choices = result?.body ? readChoices(result.body) : [];
  const isOther = result?.body !== undefined && !result.failure && !isChat(result.body) && choices.length === 0;
  return {
    row: part.row,
    customId: [result?.customId, textOf(line?.['custom_id']), texts.id].find(Boolean) ?? '',
    state: part.state,
    isFailed: part.isFailed,
    isFiltered: part.isFiltered === true,
    line: part.line === undefined ? undefined : part.line + 1,
    request: body ?? texts.request,
    question: questionIn(body) ?? texts.request ?? '',
    choices,
    other: isOther ? result.body : undefined,
    failure: result?.failure,
    status: result?.status,
    model: result?.model ?? textOf(body?.['model']),
    tokensIn: part.tokensIn,
    tokensOut: part.tokensOut,
    isTooLong: texts.isTooLong,
  };
}

function questionIn(body: JsonObject | undefined): string | undefined {
  if (!body) return undefined;
  const messages = messagesIn(body);
  return (messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.text;
}

const columns = [
  'custom_id',
  'state',
  'line',
  'request',
  'answer',
  'reasoning',
  'error_code',
  'error_message',
  'model',
  'finish_reason',
  'prompt_tokens',
  'completion_tokens',
] as const;

function csvCells(row: ExportedRow): readonly CellValue[] {
  const { customId, state, line, question, choices, failure, status, model, tokensIn, tokensOut } = row;
  const finishes = [...new Set(choices.flatMap(({ finish }) => finish ?? []))];
  return [
    customId,
    state,
    line,
    question,
    answerOf(row),
    choices
      .map(({ reasoning }) => reasoning)
      .join('\n\n')
      .trim(),
    failure && (failure.code === '' ? status : failure.code),
    failure?.message,
    model,
    finishes.join(', '),
    tokensIn,
    tokensOut,
  ];
}

/** Formats cells as one line by RFC 4180, except for its line feed. */
export function csvLine(cells: readonly CellValue[]): string {
  return `${separated(cells, ',')}\r`;
}

function separated(cells: readonly CellValue[], separator: ',' | '\t'): string {
  return cells.map((cell) => toCell(cell, separator)).join(separator);
}

/**
 * Adds an apostrophe before text that a spreadsheet would treat as a formula, as OWASP advises, because model output must not run.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function toCell(value: CellValue, separator: ',' | '\t'): string {
  if (value === undefined || typeof value === 'number') return String(value ?? '');
  const safe = /^[=+\-@\t\r\n＝＋－＠]/u.test(value) ? `'${value}` : value;
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Formats a row as a line of JSON: `custom_id`, `state`, `request` (its body), `answer` (its text; a list if there are several),
 * `error`, `usage`, and other members.
 */
function toJsonLine(row: ExportedRow, further: readonly FurtherColumn[]): string {
  const { customId, state, line, request, choices, other, failure, status, model, tokensIn, tokensOut } = row;
  const ofSource = further.filter(({ group }) => group === 'source');
  const mark = further.find(({ group }) => group === 'run');
  const expectation = mark?.valueOf(row.row);
  const [first] = choices;
  const isOne = choices.length < 2;
  return toJson({
    custom_id: customId,
    state,
    ...(line !== undefined && { line }),
    ...(model !== undefined && { model }),
    request: request ?? null,
    answer: first ? (isOne ? first.text : choices.map(({ text }) => text)) : (other ?? null),
    ...(first && isOne && furtherOf(first)),
    ...(!isOne && { choices: choices.map((choice) => ({ text: choice.text, ...furtherOf(choice) })) }),
    error: failure ? { ...(status !== undefined && { status }), ...failure } : null,
    usage: { prompt_tokens: tokensIn ?? null, completion_tokens: tokensOut ?? null },
    ...(ofSource.length > 0 && {
      source: Object.fromEntries(ofSource.map(({ label, valueOf }) => [label, valueOf(row.row) ?? null])),
    }),
    ...(mark && { [expectedName]: expectation === undefined ? null : expectation === 'true' }),
  });
}

/** Returns what an answer contains besides its text. */
function furtherOf({ reasoning, refusal, calls, finish }: Choice) {
  return {
    ...(reasoning !== '' && { reasoning }),
    ...(refusal !== '' && { refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(finish !== undefined && { finish_reason: finish }),
  };
}

function markdownHeader(): string {
  return `# ${markdownWords.results()}\n`;
}

/** The states that the texts of a result do not show. */
const stateWords = {
  extra: markdownWords.extra,
  truncated: markdownWords.truncated,
  refused: markdownWords.refused,
  expired: markdownWords.expired,
  canceled: markdownWords.canceled,
} as const satisfies Partial<Record<ResultState, () => string>>;

/** Formats a request and its result as a section. Texts are quoted so that their headings do not become the document's. */
function toMarkdown(row: ExportedRow, further: readonly FurtherColumn[]): string {
  const { customId, state, line, question, model, tokensIn, tokensOut } = row;
  const facts = [
    line === undefined ? undefined : markdownWords.line(line),
    model === undefined ? undefined : escaped(model),
    tokensIn === undefined || tokensOut === undefined ? undefined : markdownWords.tokens(tokensIn, tokensOut),
    ...further
      .filter(({ group }) => group === 'source')
      .map(({ label, valueOf }) => `${escaped(label)}: ${escaped(String(valueOf(row.row) ?? ''))}`),
  ].filter((fact) => fact !== undefined);
  const hasRequest = question !== '' || row.request !== undefined;
  const parts = [
    `## ${escaped(customId === '' ? '…' : customId)}`,
    ...(facts.length > 0 ? [facts.join(' · ')] : []),
    ...(state in stateWords ? [`*${stateWords[state as keyof typeof stateWords]()}*`] : []),
    ...(hasRequest ? [`### ${markdownWords.request()}`, quoted(question)] : []),
    ...outcome(row),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function outcome({ state, isFiltered, failure, choices, other, isTooLong }: ExportedRow): readonly string[] {
  const all = choices.flatMap((choice, index) => choiceParts(choice, choices.length > 1 ? index + 1 : undefined));
  if (failure) return [`### ${markdownWords.error()}`, quoted(failureText(failure)), ...all];
  if (isTooLong) return [`*${markdownWords.unread()}*`];
  if (state === 'missing') return [`*${markdownWords.missing()}*`];
  if (other) return [`### ${markdownWords.answer(undefined)}`, fenced(toJson(other, 2))];
  const isFilteredText = isFiltered ? [`*${markdownWords.filtered()}*`] : [];
  return all.length === 0 ? [`*${markdownWords.noText()}*`] : [...isFilteredText, ...all];
}

function choiceParts({ reasoning, text, refusal, calls }: Choice, number: number | undefined): readonly string[] {
  const isEmpty = text === '' && refusal === '' && calls.length === 0;
  return [
    ...(reasoning === '' ? [] : [`### ${markdownWords.reasoning()}`, quoted(reasoning)]),
    `### ${markdownWords.answer(number)}`,
    ...(text === '' ? [] : [quoted(text)]),
    ...(refusal === '' ? [] : [`**${markdownWords.refusal()}**`, quoted(refusal)]),
    ...calls.flatMap((call) => [`**${escaped(call.name)}**`, fenced(call.arguments)]),
    ...(isEmpty ? [`*${markdownWords.noText()}*`] : []),
  ];
}

/** Puts a text on one line and escapes its Markdown. */
export function escaped(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]()#+!<>|~&]/gu, '\\$&');
}
