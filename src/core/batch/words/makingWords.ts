import * as l10n from '@vscode/l10n';
import { shown } from './shown';

/** Further columns are not named, so that the sentence stays readable. */
const namedColumns = 12;

function named(columns: readonly string[]): string {
  const names = columns.slice(0, namedColumns).map((column) => `{{${shown(column)}}}`);
  return columns.length > namedColumns ? [...names, '…'].join(', ') : names.join(', ');
}

export const templateWords = {
  unknownColumn: (column: string, columns: readonly string[]) =>
    l10n.t('Unknown column "{0}". Available columns: {1}.', shown(column), named(columns)),
  noPrompt: () => l10n.t('Enter a prompt. Insert columns as {{name}}.'),
  noId: () => l10n.t('Enter a custom_id pattern, such as row-{n}.'),
  sameIds: () => l10n.t('All requests would have the same custom_id. Add {n} or a column.'),
  wrongParameter: (name: string) => l10n.t('"{0}" is out of range.', name),
};

export const rowWords = {
  noRows: () => l10n.t('No rows, so no file was created.'),
  emptyId: (row: number) => l10n.t('Row {0} would have an empty custom_id. Add {n}, or fill in the column.', row),
  repeatedId: (row: number, id: string) =>
    l10n.t('Row {0} repeats the custom_id "{1}". Add {n} to the pattern.', row, shown(id)),
  unknownKind: () => l10n.t('Choose a .csv, .tsv, .json, or .jsonl file.'),
  noHeader: () => l10n.t('The file is empty. Add column names in the first line.'),
  repeatedColumn: (column: string) => l10n.t('Duplicate column "{0}".', shown(column)),
  tooManyColumns: (most: string) => l10n.t('Too many columns. The limit is {0}.', most),
  unnamedColumn: (number: number) => l10n.t('column {0}', number),
  wrongLength: (line: number, columns: number) =>
    columns === 1
      ? l10n.t('Line {0} has several fields. Put text that contains a separator in quotes.', line)
      : l10n.t("Line {0} doesn't have {1} fields. Check its quotes and separators.", line, columns),
  openQuote: () => l10n.t('A closing quote is missing.'),
  wrongQuote: (line: number) => l10n.t('Mismatched quotes in line {0}. Double each quote inside a field.', line),
  tooLongRow: (line: number, most: string) => l10n.t('The row at line {0} is longer than {1}.', line, most),
  tooLongItem: (row: number, most: string) => l10n.t('Row {0} is larger than {1}.', row, most),
  csvError: (why: string) => l10n.t("Couldn't read the table. {0}", why),
  notArray: () => l10n.t('Use an array of objects, or .jsonl with one object per line.'),
  notJson: (row: number) => l10n.t("Row {0} isn't valid JSON.", row),
  notObject: (row: number) => l10n.t("Row {0} isn't an object.", row),
  cutOff: () => l10n.t("The array isn't closed. The file might be truncated."),
  behindArray: () => l10n.t('Unexpected text after the array.'),
};

export const fileTextWords = {
  notUtf8: () => l10n.t('The file isn\'t UTF-8. Save it as UTF-8 (in Excel, "CSV UTF-8").'),
  tooLarge: (most: string) => l10n.t('larger than {0}', most),
  notText: () => l10n.t('not UTF-8 text'),
  unreadable: (why: string) => l10n.t('unreadable: {0}', why),
};

export const transformWords = {
  tooLongLine: (line: number, most: string) => l10n.t('Line {0} is longer than {1}.', line, most),
  notText: () => l10n.t("The file isn't UTF-8."),
  changed: (name: string) => l10n.t("{0} changed while saving, so it wasn't updated. Try again.", shown(name)),
  exists: (name: string) => l10n.t("{0} already exists and wasn't overwritten.", shown(name)),
  tooManyGroups: (most: number) => l10n.t('Too many files. The maximum is {0}.', most),
  lineBeyondPart: (line: number) =>
    l10n.t('Line {0} is larger than the maximum part size. Shorten the line, or increase the size.', line),
  noneConverted: (names: readonly string[]) =>
    names.length === 0
      ? l10n.t('No requests in a supported format.')
      : l10n.t("No lines converted. The format doesn't support: {0}.", names.map(shown).join(', ')),
  noLines: () => l10n.t('No lines, so no file was created.'),
};

export const exampleWords = {
  question: () => l10n.t('Write a haiku about the sea.'),
  otherQuestion: () => l10n.t('Write a haiku about the forest.'),
  system: () => l10n.t('You are a poet. Answer in English.'),
  review: () => l10n.t('The package arrived late, but the lamp is beautiful.'),
  otherReview: () => l10n.t('Stopped working on the second day.'),
  classify: () => l10n.t('Answer with JSON: {"sentiment": "positive" | "negative" | "mixed"}.'),
  weather: () => l10n.t('What is the weather in Paris?'),
  tool: () => l10n.t('Returns the weather in a city.'),
  picture: () => l10n.t("What's in this image?"),
};
