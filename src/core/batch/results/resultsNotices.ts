import path from 'node:path';
import { noticeWords } from '../words/noticeWords';
import type { ResultsFile, ResultsInput, ResultsSummary } from './resultsView';

type Notice = ResultsSummary['notices'][number];
type Counted = Omit<ResultsSummary, 'notices'>;

const namedLines = 5;
const weights = { error: 0, warning: 1, info: 2 };

/** Returns what the user should know about a run's files, as sentences, the most severe first. */
export function resultsNotices(summary: Counted): readonly Notice[] {
  const { files, input, extra, duplicates, cutOff, isWhole } = summary;
  const ofFiles = files.flatMap(ofFile).map((notice): Notice => ({ ...notice, about: 'results' }));
  const ofRequests = (input ? ofInput(input) : []).map((notice): Notice => ({ ...notice, about: 'input' }));
  const notices: Notice[] = [...ofFiles, ...ofRequests];
  const add = (severity: Notice['severity'], text: string) => notices.push({ severity, text });
  if (!isWhole) add('warning', noticeWords.stopped());
  if (extra > 0) add('warning', noticeWords.extra(extra));
  if (duplicates > 0) add('warning', noticeWords.duplicates(duplicates));
  if (cutOff > 0) add('info', noticeWords.cutOff(cutOff));
  return notices.toSorted((a, b) => weights[a.severity] - weights[b.severity]);
}

function ofFile({ path: file, trouble, bad, badLines, results }: ResultsFile): readonly Notice[] {
  const name = path.basename(file);
  if (trouble !== undefined) {
    const text =
      trouble === 'notText'
        ? noticeWords.notText(name)
        : trouble === 'changed'
          ? noticeWords.changed(name)
          : noticeWords.unreadable(name, trouble);
    return [{ severity: trouble === 'changed' ? 'warning' : 'error', text }];
  }
  if (bad === 0) return [];
  if (results === 0 && bad > 1) {
    const isInput = badLines.every(({ kind }) => kind === 'notResult');
    return [
      { severity: 'error', text: isInput ? noticeWords.noResultsButRequests(name) : noticeWords.noResults(name) },
    ];
  }
  const torn = badLines.find(({ kind }) => kind === 'torn');
  if (torn && bad === 1) return [{ severity: 'warning', text: noticeWords.torn(name, torn.line) }];
  const lines = badLines.slice(0, namedLines).map(({ line }) => line);
  return [{ severity: 'warning', text: noticeWords.badLines(name, { lines, count: bad }) }];
}

function ofInput({ path: file, trouble, since, withoutId, repeatedIds }: ResultsInput): readonly Notice[] {
  const name = path.basename(file);
  const notices: Notice[] = [];
  switch (trouble) {
    case undefined:
      break;
    case 'ENOENT':
      notices.push({ severity: 'warning', text: noticeWords.inputGone(name) });
      break;
    case 'changed':
      notices.push({ severity: 'warning', text: noticeWords.changed(name) });
      break;
    case 'notText':
    case 'array':
    case 'empty':
      notices.push({ severity: 'warning', text: noticeWords.inputWithoutLines(name) });
      break;
    default:
      notices.push({ severity: 'warning', text: noticeWords.inputUnreadable(name, trouble) });
  }
  if (since === 'changed') notices.push({ severity: 'warning', text: noticeWords.inputChanged(name) });
  if (withoutId > 0) notices.push({ severity: 'warning', text: noticeWords.withoutId(withoutId) });
  if (repeatedIds > 0) notices.push({ severity: 'warning', text: noticeWords.repeatedIds(repeatedIds) });
  return notices;
}
