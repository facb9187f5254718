import { findPlaceholders } from '../../prompts/placeholders';
import type { Span } from '../problem';
import { templateWords } from '../words/makingWords';
import { MakingError } from './makingError';

/** The fields of a row, in the order of its source's columns. Those that a row lacks are holes, which stand for an empty text. */
export type Row = readonly string[];

/** Fills in a row's fields for the columns. `number` is the row number, from 1. */
export type Template = (row: Row, number: number) => string;

type Part = string | { readonly column: number } | { readonly isNumber: true };

/** Throws if a name is not a column, before anything is written. */
export function compileTemplate(text: string, columns: readonly string[]): Template {
  return compile(text, columns, (plain) => [plain]);
}

/** Compiles a template in which `{n}` also stands for the row number. Throws if a name is not a column. */
export function compileIdTemplate(text: string, columns: readonly string[]): Template {
  return compile(text, columns, withNumber);
}

function compile(text: string, columns: readonly string[], partsOf: (plain: string) => readonly Part[]): Template {
  const parts: Part[] = [];
  let end = 0;
  const addText = (plain: string) => {
    for (const part of partsOf(plain)) parts.push(part);
  };
  for (const place of findPlaceholders(text)) {
    addText(text.slice(end, place.start));
    end = place.end;
    if (place.isEscaped) parts.push(text.slice(place.start + 1, place.end));
    else parts.push({ column: columnOf(place.name, columns) });
  }
  addText(text.slice(end));
  return (row, number) => parts.map((part) => fill(part, row, number)).join('');
}

/** Yields the placeholders of a prompt that name no column, in UTF-16 units, each with a message. */
export function* unknownColumns(
  text: string,
  columns: readonly string[],
): Iterable<Span & { readonly message: string }> {
  for (const { start, end, name, isEscaped } of findPlaceholders(text)) {
    if (!isEscaped && !columns.includes(name)) {
      yield { start, end, message: templateWords.unknownColumn(name, columns) };
    }
  }
}

function withNumber(plain: string): readonly Part[] {
  return plain.split('{n}').flatMap((piece, index) => (index === 0 ? [piece] : [{ isNumber: true } as const, piece]));
}

function fill(part: Part, row: Row, number: number): string {
  if (typeof part === 'string') return part;
  return 'column' in part ? (row[part.column] ?? '') : String(number);
}

function columnOf(name: string, columns: readonly string[]): number {
  const index = columns.indexOf(name);
  if (index >= 0) return index;
  throw new MakingError(templateWords.unknownColumn(name, columns));
}
