import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PreviewLoaded, PreviewLine } from '../../../core/batch/preview/previewFile';
import type { PreviewRow } from '../../../core/batch/preview/previewRow';
import { bytesText, numberText } from '../../../platform/displayText';
import type { PreviewDetails, PreviewSummary, PreviewTableRow } from '../../../protocol/batchPreview';

const number = (value: number): string => numberText(value, vscode.env.language);
const size = (bytes: number): string => bytesText(bytes, vscode.env.language);

export function summaryOf(loaded: PreviewLoaded): PreviewSummary {
  const { lines, holds } = loaded;
  const nothing = nothingText(loaded);
  return {
    lines,
    holds,
    facts: factsText(loaded),
    ...(nothing !== undefined && { nothing }),
    ...(!loaded.isWhole && { partial: l10n.t('Lines shown: {0}', number(lines)) }),
  };
}

function nothingText({ without }: PreviewLoaded): string | undefined {
  switch (without) {
    case undefined:
      return undefined;
    case 'file.empty':
      return l10n.t('The file is empty. Add one request per line.');
    case 'file.array':
      return l10n.t('This is a JSON array. Put one request per line.');
    case 'file.spread':
      return l10n.t('Put each request on a single line.');
    case 'file.not-text':
      return l10n.t("This isn't a UTF-8 text file.");
  }
}

function factsText({ requests, models, model, bytes, holds }: PreviewLoaded): string {
  const answers = requests === 1 ? l10n.t('1 response') : l10n.t('{0} responses', number(requests));
  const requestsText = requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests));
  const count = holds === 'answers' ? answers : requestsText;
  const named = models > 1 ? l10n.t('{0} models', number(models)) : model;
  return [count, holds === 'answers' ? undefined : named, size(bytes)].filter(Boolean).join(' · ');
}

export function rowOf({ bytes, messages, tokens, state, text, ...row }: PreviewRow): PreviewTableRow {
  const { line, customId, model, problems } = row;
  const count = messages ?? tokens;
  const words =
    state === 'blank' ? l10n.t('blank line') : state === 'unread' ? l10n.t('Long line, select to view') : undefined;
  return {
    line,
    customId,
    model,
    problems,
    count: count === undefined ? '' : number(count),
    text: words ?? text,
    tone: words !== undefined || state === 'notJson' ? 'muted' : state === 'failed' ? 'failed' : 'plain',
    size: size(bytes),
  };
}

export function detailsOf(line: number, read: PreviewLine): PreviewDetails {
  const { customId, model, messages, omitted, parameters, answer, raw, problems, moreProblems, isTooLong } = read;
  const note = isTooLong
    ? l10n.t('Longer than {0}, so not displayed.', size(1 << 24))
    : raw
      ? l10n.t('Not a JSON object. Shown unchanged.')
      : undefined;
  const shown = raw ? [{ role: '', ...raw }] : messages;
  const more = moreProblems === 0 ? [] : [{ severity: 'hint' as const, message: moreText(moreProblems) }];
  const failure = [answer?.status !== undefined && answer.status >= 400 ? answer.status : undefined, answer?.error];
  const failed = failure.filter((part) => part !== undefined).join(' · ');
  return {
    line,
    customId,
    model,
    problems: [...problems.map(({ severity, message }) => ({ severity, message })), ...more],
    messages: shown.map(({ role, text, cut }) => ({ role, text, ...(cut > 0 && { cut: cutText(cut) }) })),
    ...(omitted > 0 && { omitted: l10n.t('Messages omitted: {0}', number(omitted)) }),
    shownFirst: omitted > 0 ? 5 : messages.length,
    parameters: answer?.tokens === undefined ? parameters : [{ name: 'total_tokens', value: number(answer.tokens) }],
    ...(note !== undefined && { note }),
    ...(failed !== '' && { failure: failed }),
  };
}

function moreText(count: number): string {
  return count === 1 ? l10n.t('1 more problem') : l10n.t('{0} more problems', number(count));
}

function cutText(characters: number): string {
  return l10n.t('… {0} more characters. Go to the line.', number(characters));
}

export function readingText(bytes: number, total: number): string {
  return l10n.t('{0} of {1}', size(bytes), size(total));
}

export function foundText(found: number): string {
  return found === 1 ? l10n.t('1 line found so far') : l10n.t('{0} lines found so far', number(found));
}

export function countText(count: number, lines: number): string {
  return count === lines ? '' : l10n.t('{0} of {1} lines', number(count), number(lines));
}
