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
  noPrompt: () => l10n.t('Enter a prompt. Insert a column with {{name}}.'),
  noId: () => l10n.t('Enter a custom_id pattern, such as row-{n}, where {n} is the row number.'),
  sameIds: () => l10n.t('Every request would have the same custom_id. Add {n} or a column to the pattern.'),
  wrongParameter: (name: string) => l10n.t('"{0}" is out of range.', name),
};

export const rowWords = {
  noRows: () => l10n.t('No rows, so no file was created.'),
  emptyId: (row: number) =>
    l10n.t('Row {0} would have an empty custom_id. Add {n} to the pattern, or fill in the column.', row),
  repeatedId: (row: number, id: string) =>
    l10n.t(
      'Row {0} has the same custom_id as an earlier row ("{1}"). Add the row number, {n}, to the pattern.',
      row,
      shown(id),
    ),
  unknownKind: () => l10n.t('Rows are read from files that end in .csv, .tsv, .json or .jsonl.'),
  noHeader: () => l10n.t('The file is empty. Its first line should name the columns.'),
  repeatedColumn: (column: string) => l10n.t('Duplicate column "{0}". Rename one of the columns.', shown(column)),
  tooManyColumns: (most: string) =>
    l10n.t("The table has too many columns. The limit is {0}. Remove those you don't need.", most),
  unnamedColumn: (number: number) => l10n.t('column {0}', number),
  wrongLength: (line: number, columns: number) =>
    l10n.t("Line {0} doesn't have {1} fields like the header. A quote or separator might be missing.", line, columns),
  openQuote: () => l10n.t("A quoted field isn't closed. A closing quote might be missing."),
  wrongQuote: (line: number) =>
    l10n.t('Mismatched quotes in line {0}. In a quoted field, write each quote twice.', line),
  tooLongRow: (line: number, most: string) => l10n.t('The row at line {0} is longer than {1}.', line, most),
  tooLongItem: (row: number, most: string) => l10n.t('Row {0} is longer than {1}.', row, most),
  csvTrouble: (why: string) => l10n.t("The table can't be read: {0}", why),
  notArray: () => l10n.t('Use an array of objects, such as [{…}, {…}]. For one object per line, use a .jsonl file.'),
  notJson: (row: number) => l10n.t("Row {0} isn't valid JSON.", row),
  notObject: (row: number) => l10n.t("Row {0} isn't an object with a property for each column.", row),
  cutOff: () => l10n.t("The array isn't closed. The file might be truncated."),
  behindArray: () => l10n.t('Unexpected text after the array. The file must contain a single array.'),
};

export const fileTextWords = {
  notUtf8: () => l10n.t('The file isn\'t UTF-8 text. Save it as UTF-8 (in Excel, "CSV UTF-8").'),
  tooLarge: (most: string) => l10n.t('larger than {0}', most),
  notText: () => l10n.t('not UTF-8 text'),
  unreadable: (why: string) => l10n.t('unreadable: {0}', why),
};

export const transformWords = {
  tooLongLine: (line: number, most: string) => l10n.t('Line {0} is longer than {1}.', line, most),
  notText: () => l10n.t("The file isn't UTF-8 text."),
  changed: (name: string) => l10n.t("{0} changed while saving, so it wasn't updated. Try again.", shown(name)),
  exists: (name: string) => l10n.t("{0} already exists and hasn't changed.", shown(name)),
  tooManyGroups: (most: number) => l10n.t('Too many files. The limit is {0}, so no files were created.', most),
  lineBeyondPart: (line: number) => l10n.t('Line {0} exceeds the size of a part. Choose larger parts.', line),
  noneConverted: (names: readonly string[]) =>
    names.length === 0
      ? l10n.t('No line could be converted. The file contains no requests in a known format.')
      : l10n.t("No line could be converted. The format doesn't support: {0}.", names.map(shown).join(', ')),
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
