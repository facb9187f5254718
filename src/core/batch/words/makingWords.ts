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
    l10n.t('There is no column "{0}". These are known: {1}.', shown(column), named(columns)),
  noPrompt: () => l10n.t('The prompt is empty. Write one; {{name}} stands for the column of that name.'),
  noId: () => l10n.t('The custom_id is empty. Write a pattern such as row-{n}: {n} stands for the number of the row.'),
  sameIds: () => l10n.t('Every request would have the same custom_id. Put {n} or a column into it.'),
  wrongParameter: (name: string) => l10n.t('"{0}" is not within the bounds the service gives it.', name),
};

export const rowWords = {
  noRows: () => l10n.t('There are no rows: nothing was written.'),
  emptyId: (row: number) =>
    l10n.t('Row {0} gets an empty custom_id. Put {n} into its pattern, or fill in the column.', row),
  repeatedId: (row: number, id: string) =>
    l10n.t(
      'Row {0} gets the custom_id "{1}", as a row before it. Put {n} into its pattern: it is the number of the row.',
      row,
      shown(id),
    ),
  unknownKind: () => l10n.t('Rows are read from files that end in .csv, .tsv, .json or .jsonl.'),
  noHeader: () => l10n.t('The file is empty. Its first line should name the columns.'),
  repeatedColumn: (column: string) => l10n.t('The column "{0}" stands in the header twice. Rename one.', shown(column)),
  tooManyColumns: (most: string) =>
    l10n.t("The table has too many columns. The limit is {0}. Remove those you don't need.", most),
  unnamedColumn: (number: number) => l10n.t('column {0}', number),
  wrongLength: (line: number, columns: number) =>
    l10n.t('Line {0} does not have {1} fields, as the header has. Is a quote or a separator missing?', line, columns),
  openQuote: () => l10n.t('A quoted field is not ended before the end of the file. Is a closing quote missing?'),
  wrongQuote: (line: number) =>
    l10n.t('The quotes in line {0} do not fit: a quote within a quoted field is written twice.', line),
  tooLongRow: (line: number, most: string) => l10n.t('The row at line {0} is longer than {1}.', line, most),
  tooLongItem: (row: number, most: string) => l10n.t('Row {0} is longer than {1}.', row, most),
  csvTrouble: (why: string) => l10n.t('The table cannot be read: {0}', why),
  notArray: () =>
    l10n.t('The file should hold an array of objects: [{…}, {…}]. One object a line is read from .jsonl.'),
  notJson: (row: number) => l10n.t('Row {0} is not JSON.', row),
  notObject: (row: number) => l10n.t('Row {0} is not an object with a member for each column.', row),
  cutOff: () => l10n.t('The array is not ended: the file seems to be cut off.'),
  behindArray: () => l10n.t('Something follows the array. The file should hold one array and nothing else.'),
};

export const fileTextWords = {
  notUtf8: () => l10n.t('The file is not text in UTF-8. Save it as UTF-8 (in Excel: "CSV UTF-8").'),
  tooLarge: (most: string) => l10n.t('larger than {0}', most),
  notText: () => l10n.t('not text in UTF-8'),
  unreadable: (why: string) => l10n.t('cannot be read: {0}', why),
};

export const transformWords = {
  tooLongLine: (line: number, most: string) => l10n.t('Line {0} is longer than {1}.', line, most),
  notText: () => l10n.t('This is not a text file in UTF-8.'),
  changed: (name: string) => l10n.t('{0} was written to meanwhile: nothing was kept. Try again.', shown(name)),
  exists: (name: string) => l10n.t('{0} exists already, and was left as it is.', shown(name)),
  lineBeyondPart: (line: number) => l10n.t('Line {0} alone is larger than a part may be. Choose larger parts.', line),
  noneConverted: (names: readonly string[]) =>
    names.length === 0
      ? l10n.t('No line could be converted. The file contains no requests in a known format.')
      : l10n.t("No line could be converted. The format doesn't support: {0}.", names.map(shown).join(', ')),
  noLines: () => l10n.t('There is no line in it: nothing was written.'),
};

export const exampleWords = {
  question: () => l10n.t('Write a haiku about the sea.'),
  otherQuestion: () => l10n.t('Write a haiku about the forest.'),
  system: () => l10n.t('You are a poet. Answer in English.'),
  review: () => l10n.t('The parcel came late, but the lamp is beautiful.'),
  otherReview: () => l10n.t('It broke on the second day.'),
  classify: () => l10n.t('Answer with JSON: {"sentiment": "positive" | "negative" | "mixed"}.'),
  weather: () => l10n.t('What is the weather in Paris?'),
  tool: () => l10n.t('Tells the weather of a city.'),
  picture: () => l10n.t('What is in this picture?'),
};
