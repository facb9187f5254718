import * as l10n from '@vscode/l10n';
import { shown } from './shown';

/** The titles of fixes in a menu. */
export const fixWords = {
  addMember: (key: string, value: string) => l10n.t('Add "{0}": {1}', key, shown(value)),
  setMember: (key: string, value: string) => l10n.t('Set "{0}" to {1}', key, shown(value)),
  setRole: (role: string, found: string) => l10n.t('Write "{0}" in the place of "{1}"', role, shown(found)),
  useModel: (model: string) => l10n.t('Use the model "{0}"', shown(model)),
  addMethodAndUrl: () => l10n.t('Add the missing "method" and "url"'),
  moveIntoBody: (key: string) => l10n.t('Move "{0}" into the body', shown(key)),
  removeMember: (key: string) => l10n.t('Remove "{0}"', shown(key)),
  removeDuplicate: (key: string) => l10n.t('Remove the "{0}" that does not count', shown(key)),
  removeBlank: () => l10n.t('Remove the blank line'),
  addFinalNewline: () => l10n.t('Add a line break at the end'),
  removeMark: () => l10n.t('Remove the byte-order mark'),
  removeComma: () => l10n.t('Remove the trailing comma'),
  writeAsJson: () => l10n.t('Write the line as JSON'),
  addComma: () => l10n.t('Add the missing comma'),
  escapeControls: () => l10n.t('Write control characters as escapes'),
  unwrapCell: () => l10n.t('Unwrap the CSV cell'),
  splitRequests: () => l10n.t('Write each request in a line of its own'),
  closeLine: () => l10n.t('Close the line'),
  closeText: () => l10n.t('Close the line, and keep the text that was cut off'),
  cutBack: () => l10n.t('Cut back to the last whole member, and close the line'),
  removeHalf: () => l10n.t('Remove the half character'),
  unwrapBody: () => l10n.t('Write the body as an object, not as a text'),
  toMessages: (key: string) => l10n.t('Write "{0}" as a message of the user', key),
  toMessage: () => l10n.t('Make it a message of the user'),
  toArray: () => l10n.t('Make it an array of one message'),
  renameMember: (from: string, to: string) => l10n.t('Rename "{0}" to "{1}"', shown(from), to),
  withoutPythonBytes: () => l10n.t("Remove Python's b'…' from the data"),
  writeAs: (value: string) => l10n.t('Write it as {0}', shown(value)),
  convert: (leftOut: readonly string[]) =>
    leftOut.length === 0
      ? l10n.t('Convert the line to a batch request')
      : l10n.t('Convert the line to a batch request, without {0}', shown(leftOut.join(', '))),
};

/** The titles of fixes for all problems of a kind. */
export const fixAllWords = {
  ids: () => l10n.t('Fix all: give every request an ID of its own'),
  methodAndUrl: () => l10n.t('Fix all: add the missing "method" and "url"'),
  setMethodAndUrl: () => l10n.t('Fix all: set "method" and "url" to what batches take'),
  moveIntoBody: () => l10n.t('Fix all: move parameters into the body'),
  removeUnknown: () => l10n.t('Fix all: remove the members that are ignored'),
  removeStream: () => l10n.t('Fix all: remove "stream"'),
  removeDuplicates: () => l10n.t('Fix all: remove the members that do not count'),
  removeBlank: () => l10n.t('Fix all: remove the blank lines'),
  removeMarks: () => l10n.t('Fix all: remove the byte-order marks'),
  removeCommas: () => l10n.t('Fix all: remove trailing commas'),
  writeAsJson: () => l10n.t('Fix all: write the lines as JSON'),
  addCommas: () => l10n.t('Fix all: add the missing commas'),
  escapeControls: () => l10n.t('Fix all: write control characters as escapes'),
  unwrapCells: () => l10n.t('Fix all: unwrap the CSV cells'),
  splitRequests: () => l10n.t('Fix all: write each request in a line of its own'),
  removeHalves: () => l10n.t('Fix all: remove the half characters'),
  unwrapBodies: () => l10n.t('Fix all: write bodies as objects, not as texts'),
  toMessages: () => l10n.t('Fix all: write prompts as messages of the user'),
  roles: () => l10n.t('Fix all: write roles as the service knows them'),
  parts: () => l10n.t('Fix all: write content types as the endpoint knows them'),
  pythonBytes: () => l10n.t("Fix all: remove Python's b'…' from the data"),
  nearestNames: () => l10n.t('Fix all: write parameters as the service knows them'),
  nearestModels: () => l10n.t('Fix all: use the model that is most like it'),
  firstModel: () => l10n.t('Fix all: use the model of the first line'),
  addModel: () => l10n.t('Fix all: add the model the other lines ask'),
  writeValues: () => l10n.t('Fix all: write values as the type they must have'),
  convert: () => l10n.t('Fix all: convert the lines to batch requests'),
};
