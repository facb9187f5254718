import * as l10n from '@vscode/l10n';
import { shown } from './shown';

export const resultWords = {
  notJson: () => l10n.t("This result isn't valid JSON."),
  empty: () => l10n.t('Neither a response nor an error.'),
  notRun: () => l10n.t("The service didn't run this request."),
  vector: (size: number, numbers: string) => l10n.t('Vector of {0} numbers: {1}', size, numbers),
  moreVectors: (count: number) => l10n.t('More vectors: {0}', count),
  noMessage: (status: number | undefined) =>
    status === undefined ? l10n.t('No reason given.') : l10n.t('No reason given (HTTP {0}).', status),
};

/** Why a file could not be written, and what to do; nothing of it remains then. */
export const writingWords = {
  nothing: () => l10n.t('No rows to export.'),
  nothingToRetry: () => l10n.t('No requests of this kind to retry.'),
  nothingToRun: () => l10n.t('No requests to run again.'),
  withoutInput: () => l10n.t('To retry requests, link the batch file.'),
  changed: () => l10n.t("Couldn't save because the results have changed. Reload the results."),
  own: (file: string) => l10n.t('This run uses {0}. Choose another name.', shown(file)),
  diskFull: (file: string) => l10n.t("Couldn't save {0} because the disk is full.", shown(file)),
  noRights: (file: string) => l10n.t("You don't have permission to save {0} here.", shown(file)),
  readOnly: (file: string) => l10n.t("Couldn't save {0} because the disk is read-only.", shown(file)),
  noFolder: (file: string) => l10n.t('The folder for {0} is missing.', shown(file)),
  isFolder: (file: string) => l10n.t('{0} is a folder. Choose another name.', shown(file)),
  tooLongName: () => l10n.t('The file name is too long.'),
  failed: (file: string, code: string) => l10n.t("Couldn't save {0} ({1}).", shown(file), code),
};

/** The fixed texts in an export of runs that are compared. */
export const comparisonWords = {
  title: () => l10n.t('Comparison'),
  run: (letter: string) => l10n.t('Run {0}', letter),
};

/** The fixed texts in a Markdown export. */
export const markdownWords = {
  results: () => l10n.t('Results'),
  request: () => l10n.t('Request'),
  answer: (number: number | undefined) => (number === undefined ? l10n.t('Response') : l10n.t('Response {0}', number)),
  reasoning: () => l10n.t('Reasoning'),
  refusal: () => l10n.t('Refusal'),
  error: () => l10n.t('Error'),
  missing: () => l10n.t('No result was received for this request.'),
  noText: () => l10n.t('The response is empty.'),
  truncated: () => l10n.t('The response is truncated.'),
  filtered: () => l10n.t('The content filter withheld this response.'),
  refused: () => l10n.t('The model declined to answer.'),
  expired: () => l10n.t('The batch expired before this request ran.'),
  canceled: () => l10n.t('The batch was canceled before this request ran.'),
  extra: () => l10n.t('No request in the batch file has this custom_id.'),
  line: (line: number) => l10n.t('Line {0}', line),
  tokens: (input: number, output: number) => l10n.t('{0} tokens in, {1} out', input, output),
  unread: () => l10n.t('Too long to show here.'),
};
