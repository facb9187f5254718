import * as l10n from '@vscode/l10n';
import { shown } from './shown';

/** Returns why a file cannot be read, by the system's error code. */
function reason(code: string): string {
  switch (code) {
    case 'ENOENT':
      return l10n.t('it is not there any more');
    case 'EACCES':
    case 'EPERM':
      return l10n.t('its permissions do not allow it');
    case 'EISDIR':
      return l10n.t('it is a folder');
    default:
      return code;
  }
}

/** Messages about the files of a run. */
export const noticeWords = {
  notText: (file: string) => l10n.t('{0} is not text, so there are no results in it. Fetch it again.', shown(file)),
  changed: (file: string) => l10n.t('{0} was written to while it was read. Read it again.', shown(file)),
  unreadable: (file: string, code: string) =>
    l10n.t('{0} could not be read: {1}. What is in it is not shown.', shown(file), reason(code)),
  noResults: (file: string) =>
    l10n.t(
      'No line of {0} is a result. Is it another file, or a page of a server in between? Fetch it again.',
      shown(file),
    ),
  noResultsButRequests: (file: string) =>
    l10n.t('{0} holds requests, not results. Choose the file of results.', shown(file)),
  torn: (file: string, line: number) =>
    l10n.t(
      '{0} is cut short: its last line, {1}, is not whole. All lines before it are shown. Fetch it again.',
      shown(file),
      line,
    ),
  badLines: (file: string, { lines, count }: { readonly lines: readonly number[]; readonly count: number }) =>
    count === 1
      ? l10n.t('Line {1} of {0} is not a result and was left out.', shown(file), lines[0] ?? 0)
      : l10n.t(
          '{1} lines of {0} are not results and were left out: {2}.',
          shown(file),
          count,
          count > lines.length ? [...lines, '…'].join(', ') : lines.join(', '),
        ),
  inputGone: (file: string) =>
    l10n.t(
      'The batch file {0} is not there any more: results are shown without their requests. Link it again.',
      shown(file),
    ),
  inputWithoutLines: (file: string) =>
    l10n.t('{0} holds no requests: results are shown without them. Link the batch file.', shown(file)),
  inputUnreadable: (file: string, code: string) =>
    l10n.t(
      'The batch file {0} could not be read: {1}. Results are shown without their requests.',
      shown(file),
      reason(code),
    ),
  inputChanged: (file: string) =>
    l10n.t('{0} has changed since it was sent. Answers are joined to its lines by custom_id.', shown(file)),
  withoutId: (count: number) =>
    count === 1
      ? l10n.t('1 line of the batch file has no custom_id that can be read: no result can be joined to it.')
      : l10n.t(
          '{0} lines of the batch file have no custom_id that can be read: no result can be joined to them.',
          count,
        ),
  repeatedIds: (count: number) =>
    count === 1
      ? l10n.t('1 line of the batch file has the custom_id of a line before it: both show the same result.')
      : l10n.t(
          '{0} lines of the batch file have the custom_id of a line before them: they show the same result.',
          count,
        ),
  stopped: () => l10n.t('The reading was stopped: only what was read until then is shown.'),
  extra: (count: number) =>
    count === 1
      ? l10n.t('1 result has a custom_id that is not in the batch file.')
      : l10n.t('{0} results have a custom_id that is not in the batch file.', count),
  duplicates: (count: number) =>
    count === 1
      ? l10n.t('1 custom_id has more than one result. A complete answer is shown before others, else the later one.')
      : l10n.t(
          '{0} results are of a custom_id that has another one. A complete answer is shown before others, else the later one.',
          count,
        ),
  truncated: (count: number) =>
    count === 1
      ? l10n.t('1 response is truncated. Raise max_tokens and retry.')
      : l10n.t('{0} responses are truncated. Raise max_tokens and retry.', count),
  filtered: (count: number) =>
    count === 1
      ? l10n.t('1 response was withheld by the content filter.')
      : l10n.t('{0} responses were withheld by the content filter.', count),
  empty: (count: number) =>
    count === 1 ? l10n.t('1 response has no text.') : l10n.t('{0} responses have no text.', count),
  refused: (count: number) =>
    count === 1
      ? l10n.t('The model declined to answer 1 request.')
      : l10n.t('The model declined to answer {0} requests.', count),
  missing: (count: number, requests: number) =>
    l10n.t('{0} of {1} requests have a result. Missing: {2}.', count, requests, requests - count),
  nameless: (count: number) =>
    count === 1
      ? l10n.t("1 result has no custom_id, so it can't be matched to a request.")
      : l10n.t("{0} results have no custom_id, so they can't be matched to requests.", count),
  otherInput: (file: string) =>
    l10n.t('None of the results match a request in {0}. Another file was probably sent.', shown(file)),
  serviceError: (file: string, said: string) =>
    l10n.t('{0} contains an error instead of results. The service says: "{1}"', shown(file), said),
};
