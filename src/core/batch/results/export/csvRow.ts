import { toJson } from '../../scan/jsonValue';
import { choiceText } from '../resultChoices';
import type { ExportedRow } from './exportedRow';

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
export function csvHeader(): string {
  return `\ufeff${csvLine(columns)}`;
}

/** Formats a row by RFC 4180, except for its line feed. */
export function toCsvRow(row: ExportedRow): string {
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
