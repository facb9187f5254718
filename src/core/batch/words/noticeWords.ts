import * as l10n from '@vscode/l10n';
import { shown } from './shown';

/** Returns why a file cannot be read, by the system's error code. */
function reason(code: string): string {
  switch (code) {
    case 'ENOENT':
      return l10n.t('the file is missing');
    case 'EACCES':
    case 'EPERM':
      return l10n.t("you don't have permission");
    case 'EISDIR':
      return l10n.t('it is a folder');
    case 'file.compressed':
      return l10n.t('the file must be decompressed first');
    default:
      return code;
  }
}

/** Messages about the files of a run. */
export const noticeWords = {
  notText: (file: string) => l10n.t("{0} doesn't contain results. Download them again.", shown(file)),
  changed: (file: string) => l10n.t('{0} changed during loading. Reload the results.', shown(file)),
  unreadable: (file: string, code: string) => l10n.t("Couldn't read {0}: {1}.", shown(file), reason(code)),
  noResults: (file: string) => l10n.t("{0} doesn't contain results. Download them again.", shown(file)),
  noResultsButRequests: (file: string) => l10n.t('{0} contains requests, not results.', shown(file)),
  torn: (file: string, line: number) =>
    l10n.t('{0} is truncated at line {1}. Download the results again.', shown(file), line),
  badLines: (file: string, { lines, count }: { readonly lines: readonly number[]; readonly count: number }) =>
    count === 1
      ? l10n.t("Line {1} of {0} isn't a result and was skipped.", shown(file), lines[0] ?? 0)
      : l10n.t(
          "Skipped {1} lines of {0} that aren't results: {2}.",
          shown(file),
          count,
          count > lines.length ? [...lines, '…'].join(', ') : lines.join(', '),
        ),
  inputGone: (file: string) => l10n.t('{0} is missing. To show requests, link the file again.', shown(file)),
  inputWithoutLines: (file: string) => l10n.t("{0} doesn't contain requests. Link the batch file.", shown(file)),
  inputUnreadable: (file: string, code: string) =>
    l10n.t("Couldn't read {0}: {1}. Requests aren't shown.", shown(file), reason(code)),
  inputChanged: (file: string) =>
    l10n.t('{0} has changed since it was sent. Responses are matched by custom_id.', shown(file)),
  withoutId: (count: number) =>
    count === 1
      ? l10n.t('1 line has no valid custom_id and no result.')
      : l10n.t('{0} lines have no valid custom_id and no result.', count),
  repeatedIds: (count: number) =>
    count === 1
      ? l10n.t('1 line repeats a custom_id and shows the same result.')
      : l10n.t('{0} lines repeat a custom_id and show the same result.', count),
  stopped: () => l10n.t('Loading stopped. Only results loaded so far are shown.'),
  extra: (count: number) =>
    count === 1
      ? l10n.t("1 result has a custom_id that isn't in the batch file.")
      : l10n.t("{0} results have a custom_id that isn't in the batch file.", count),
  duplicates: (count: number) =>
    count === 1
      ? l10n.t('1 result repeats a custom_id. The complete or latest one is shown.')
      : l10n.t('{0} results repeat a custom_id. The complete or latest ones are shown.', count),
  truncated: (count: number) =>
    count === 1
      ? l10n.t('1 response is truncated. Raise max_tokens.')
      : l10n.t('{0} responses are truncated. Raise max_tokens.', count),
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
    count === 1 ? l10n.t('1 result has no custom_id.') : l10n.t('{0} results have no custom_id.', count),
  otherInput: (file: string) =>
    l10n.t('No result matches {0}. The results are probably for another file.', shown(file)),
  serviceError: (file: string, said: string) =>
    l10n.t('{0} contains an error from the service: "{1}"', shown(file), said),
};
