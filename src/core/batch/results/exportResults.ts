import type { ProgressMonitor } from '../../async/progressMonitor';
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
import type { RowPart, RowTexts } from './rowTexts';
import type { Failure } from './resultLine';
import type { ResultState } from './resultsView';

export type ExportFormat = 'jsonl' | 'csv' | 'markdown';

export interface ExportRequest {
  readonly format: ExportFormat;
  /** The rows shown, in order, or all rows. */
  readonly what: 'shown' | 'all';
  readonly target: string;
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

const forms: Readonly<Record<ExportFormat, Form>> = {
  jsonl: { header: undefined, row: toJsonLine },
  csv: { header: csvHeader, row: toCsvRow },
  markdown: { header: markdownHeader, row: toMarkdown },
};

/** Writes requests beside their results. Throws a `MakingError` if the file cannot be written. */
export async function exportResults(
  table: ResultsTable,
  { format, what, target, replace }: ExportRequest,
  monitor: ProgressMonitor<[part: number]>,
): Promise<ExportResult> {
  const rows = table.rowsOf(what);
  if (rows.length === 0) throw new MakingError(writingWords.nothing());
  const { header, row: toText } = forms[format];
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
  readonly customId: string;
  readonly state: ResultState;
  readonly isFailed: boolean;
  readonly isFiltered: boolean;
  /** The line in the input, from 1. */
  readonly line: number | undefined;
  /** The request's body, or the line as it is if it has none. */
  readonly request: JsonObject | string | undefined;
  /** The last user message. */
  readonly asked: string;
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
    customId: [result?.customId, textOf(line?.['custom_id']), texts.id].find(Boolean) ?? '',
    state: part.state,
    isFailed: part.isFailed,
    isFiltered: part.isFiltered === true,
    line: part.line === undefined ? undefined : part.line + 1,
    request: body ?? texts.request,
    asked: askedIn(body) ?? texts.request ?? '',
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

function askedIn(body: JsonObject | undefined): string | undefined {
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

/** Returns the column names. The byte-order mark at the beginning makes spreadsheets read the file as UTF-8. */
function csvHeader(): string {
  return `\ufeff${csvLine(columns)}`;
}

/** Formats a row by RFC 4180, except for its line feed. */
function toCsvRow(row: ExportedRow): string {
  const { customId, state, line, asked, choices, other, failure, status, model, tokensIn, tokensOut } = row;
  const finishes = [...new Set(choices.flatMap(({ finish }) => finish ?? []))];
  return csvLine([
    customId,
    state,
    line,
    asked,
    other ? toJson(other) : choices.map(choiceText).join('\n\n'),
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
  ]);
}

/** Formats cells as one line. */
export function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(toCell).join(',')}\r`;
}

/**
 * Puts an apostrophe before a text that a spreadsheet would take for a formula, as OWASP advises: what a model wrote must not run.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function toCell(value: string | number | undefined): string {
  if (value === undefined || typeof value === 'number') return String(value ?? '');
  const safe = /^[=+\-@\t\r\n＝＋－＠]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Formats a row as a line of JSON: `custom_id`, `state`, `request` (its body), `answer` (its text; a list if there are several),
 * `error`, `usage`, and other members.
 */
function toJsonLine(row: ExportedRow): string {
  const { customId, state, line, request, choices, other, failure, status, model, tokensIn, tokensOut } = row;
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
function toMarkdown(row: ExportedRow): string {
  const { customId, state, line, asked, model, tokensIn, tokensOut } = row;
  const facts = [
    line === undefined ? undefined : markdownWords.line(line),
    model === undefined ? undefined : escaped(model),
    tokensIn === undefined || tokensOut === undefined ? undefined : markdownWords.tokens(tokensIn, tokensOut),
  ].filter((fact) => fact !== undefined);
  const hasRequest = asked !== '' || row.request !== undefined;
  const parts = [
    `## ${escaped(customId === '' ? '…' : customId)}`,
    ...(facts.length > 0 ? [facts.join(' · ')] : []),
    ...(state in stateWords ? [`*${stateWords[state as keyof typeof stateWords]()}*`] : []),
    ...(hasRequest ? [`### ${markdownWords.request()}`, quoted(asked)] : []),
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
