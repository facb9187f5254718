import * as l10n from '@vscode/l10n';
import { shown } from './shown';

export const resultWords = {
  empty: () => l10n.t('The result holds neither an answer nor an error.'),
  notRun: () => l10n.t('The service did not run this request.'),
  vector: (size: number, numbers: string) => l10n.t('Vector of {0} numbers: {1}', size, numbers),
  moreVectors: (count: number) => l10n.t('Further vectors: {0}', count),
  noMessage: (status: number | undefined) =>
    status === undefined
      ? l10n.t('The service gave no reason.')
      : l10n.t('The service gave no reason (HTTP {0}).', status),
};

/** Why a file could not be written, and what to do; nothing of it remains then. */
export const writingWords = {
  nothing: () => l10n.t('There is nothing to write: no row is shown.'),
  nothingToRetry: () => l10n.t('No request of this kind is left to ask again.'),
  withoutInput: () =>
    l10n.t('Without the batch file its requests cannot be asked again. Link the batch file, then try again.'),
  changed: () =>
    l10n.t('The files changed since they were read: nothing was written. Read them again, then try again.'),
  own: (file: string) => l10n.t('{0} is a file of this run. Choose another name.', shown(file)),
  diskFull: (file: string) =>
    l10n.t('The disk is full: nothing was kept of {0}. Free some space, then try again.', shown(file)),
  noRights: (file: string) =>
    l10n.t('{0} may not be written here: permissions do not allow it. Choose another folder.', shown(file)),
  readOnly: (file: string) =>
    l10n.t('{0} may not be written here: the disk is read-only. Choose another folder.', shown(file)),
  noFolder: (file: string) => l10n.t('The folder of {0} is not there any more. Choose another one.', shown(file)),
  isFolder: (file: string) => l10n.t('{0} is a folder. Choose another name.', shown(file)),
  tooLongName: () => l10n.t('The name of the file is too long. Choose a shorter one.'),
  failed: (file: string, code: string) =>
    l10n.t('{0} could not be written: {1}. Nothing was kept of it.', shown(file), code),
};

/** The fixed texts in an export of two runs. */
export const pairWords = {
  comparison: () => l10n.t('Comparison'),
  runA: () => l10n.t('Run A'),
  runB: () => l10n.t('Run B'),
};

/** The fixed texts in a Markdown export. */
export const markdownWords = {
  results: () => l10n.t('Results'),
  request: () => l10n.t('Request'),
  answer: (number: number | undefined) => (number === undefined ? l10n.t('Answer') : l10n.t('Answer {0}', number)),
  reasoning: () => l10n.t('Reasoning'),
  refusal: () => l10n.t('Refused'),
  error: () => l10n.t('Error'),
  missing: () => l10n.t('No result came for this request.'),
  noText: () => l10n.t('The answer is empty.'),
  truncated: () => l10n.t('The response is truncated.'),
  filtered: () => l10n.t('The content filter withheld this response.'),
  refused: () => l10n.t('The model declined to answer.'),
  expired: () => l10n.t('The batch expired before this request was run.'),
  canceled: () => l10n.t('The batch was canceled before this request was run.'),
  extra: () => l10n.t('No request in the batch file has this custom_id.'),
  line: (line: number) => l10n.t('Line {0}', line),
  tokens: (input: number, output: number) => l10n.t('{0} tokens in, {1} out', input, output),
  unread: () => l10n.t('Too long to be written here.'),
};
