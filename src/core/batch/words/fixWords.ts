import * as l10n from '@vscode/l10n';
import { shown } from './shown';

/** The titles of fixes in a menu. */
export const fixWords = {
  addMember: (key: string, value: string) => l10n.t('Add "{0}": {1}', key, shown(value)),
  setMember: (key: string, value: string) => l10n.t('Set "{0}" to {1}', key, shown(value)),
  setRole: (role: string, found: string) => l10n.t('Replace "{1}" with "{0}"', role, shown(found)),
  useModel: (model: string) => l10n.t('Use the model "{0}"', shown(model)),
  addMethodAndUrl: () => l10n.t('Add the missing "method" and "url"'),
  moveIntoBody: (key: string) => l10n.t('Move "{0}" into the body', shown(key)),
  removeMember: (key: string) => l10n.t('Remove "{0}"', shown(key)),
  removeDuplicate: (key: string) => l10n.t('Remove the duplicate "{0}"', shown(key)),
  removeBlank: () => l10n.t('Remove the blank line'),
  addFinalNewline: () => l10n.t('Add a line break at the end'),
  removeMark: () => l10n.t('Remove the byte-order mark'),
  removeComma: () => l10n.t('Remove the trailing comma'),
  writeAsJson: () => l10n.t('Convert line to JSON'),
  addComma: () => l10n.t('Add the missing comma'),
  escapeControls: () => l10n.t('Escape control characters'),
  unwrapCell: () => l10n.t('Unwrap the CSV cell'),
  splitRequests: () => l10n.t('Split into one request per line'),
  closeLine: () => l10n.t('Close the line'),
  closeText: () => l10n.t('Close the line and keep the truncated text'),
  cutBack: () => l10n.t('Remove the truncated property and close the line'),
  removeHalf: () => l10n.t('Remove the incomplete character'),
  unwrapBody: () => l10n.t('Convert the body to an object'),
  toMessages: (key: string) => l10n.t('Convert "{0}" to a user message', key),
  toMessage: () => l10n.t('Convert to a user message'),
  toArray: () => l10n.t('Convert to an array with one message'),
  renameMember: (from: string, to: string) => l10n.t('Rename "{0}" to "{1}"', shown(from), to),
  withoutPythonBytes: () => l10n.t("Remove Python's b'…' from the data"),
  writeAs: (value: string) => l10n.t('Change to {0}', shown(value)),
  convert: (leftOut: readonly string[]) =>
    leftOut.length === 0
      ? l10n.t('Convert the line to a batch request')
      : l10n.t('Convert the line to a batch request, without {0}', shown(leftOut.join(', '))),
};

/** The titles of fixes for all problems of a kind. */
export const fixAllWords = {
  ids: () => l10n.t('Fix all: give each request a unique ID'),
  methodAndUrl: () => l10n.t('Fix all: add missing "method" and "url"'),
  setMethodAndUrl: () => l10n.t('Fix all: set "method" and "url" to the supported values'),
  moveIntoBody: () => l10n.t('Fix all: move parameters into the body'),
  removeUnknown: () => l10n.t('Fix all: remove ignored properties'),
  removeStream: () => l10n.t('Fix all: remove "stream"'),
  removeDuplicates: () => l10n.t('Fix all: remove duplicate properties that have no effect'),
  removeBlank: () => l10n.t('Fix all: remove blank lines'),
  removeMarks: () => l10n.t('Fix all: remove byte-order marks'),
  removeCommas: () => l10n.t('Fix all: remove trailing commas'),
  writeAsJson: () => l10n.t('Fix all: convert lines to JSON'),
  addCommas: () => l10n.t('Fix all: add missing commas'),
  escapeControls: () => l10n.t('Fix all: escape control characters'),
  unwrapCells: () => l10n.t('Fix all: unwrap CSV cells'),
  splitRequests: () => l10n.t('Fix all: split into one request per line'),
  removeHalves: () => l10n.t('Fix all: remove incomplete characters'),
  unwrapBodies: () => l10n.t('Fix all: convert bodies to objects'),
  toMessages: () => l10n.t('Fix all: convert prompts to user messages'),
  roles: () => l10n.t('Fix all: use supported roles'),
  parts: () => l10n.t('Fix all: use supported content types'),
  pythonBytes: () => l10n.t("Fix all: remove Python's b'…' from the data"),
  nearestNames: () => l10n.t('Fix all: use supported parameter names'),
  nearestModels: () => l10n.t('Fix all: use the most similar model'),
  firstModel: () => l10n.t("Fix all: use the first line's model"),
  addModel: () => l10n.t("Fix all: add the other lines' model"),
  writeValues: () => l10n.t('Fix all: convert values to the required type'),
  convert: () => l10n.t('Fix all: convert lines to batch requests'),
};
