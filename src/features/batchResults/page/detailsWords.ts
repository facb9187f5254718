import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CutText, ResultAttempt, ResultDetails } from '../../../core/batch/results/resultsView';
import { absoluteTimeText, numberText } from '../../../platform/displayText';
import type { ResultsDetails, ResultsText } from '../../../protocol/batchResults';
import { listText } from '../../../protocol/formats';

const number = (value: number): string => numberText(value, vscode.env.language);

/** The lines of a result and of its request as formatted JSON. */
interface RawLines {
  readonly raw?: CutText | undefined;
  readonly rawRequest?: CutText | undefined;
}

/** Converts a request and its result for the page. */
export function detailsOf(read: ResultDetails, { raw, rawRequest }: RawLines = {}): ResultsDetails {
  const { row, line, customId, state, request, choices, failure, group } = read;
  const note = [sinceText(read), noteOf(read)].filter(Boolean).join(' ') || undefined;
  const shown = request?.raw
    ? [textOf('', request.raw)]
    : (request?.messages ?? []).map((one) => textOf(one.role, one));
  const omitted = request?.omitted ?? 0;
  return {
    row,
    ...(line !== undefined && { line }),
    customId,
    state,
    messages: shown,
    ...(omitted > 0 && { omitted: l10n.t('Messages omitted: {0}', number(omitted)) }),
    shownFirst: shown.length,
    answers: choices
      .filter(({ text }) => text.text !== '')
      .map(({ text }, index) => textOf(choices.length > 1 ? l10n.t('Response {0}', number(index + 1)) : '', text)),
    beside: choices
      .flatMap(({ reasoning, refusal, calls }) => [
        textOf(l10n.t('Reasoning'), reasoning),
        textOf(l10n.t('Refusal'), refusal),
        ...calls.map((call) => textOf(call.name, call.arguments)),
      ])
      .filter(({ text }) => text !== ''),
    raw: raw ? textOf('', raw) : { label: '', text: '' },
    rawRequest: rawRequest ? textOf('', rawRequest) : { label: '', text: '' },
    ...(failure && { failure: failureText(failure) }),
    attempts: read.attempts.map(attemptOf),
    ...(group !== undefined && { group }),
    facts: factsOf(read),
    parameters: request?.parameters ?? [],
    source: (read.source ?? []).filter(({ value }) => value !== ''),
    ...(read.isAsExpected !== undefined && {
      expected: {
        isMet: read.isAsExpected,
        text: read.isAsExpected ? l10n.t('The response is as expected.') : l10n.t("The response isn't as expected."),
      },
    }),
    ...(note !== undefined && { note }),
  };
}

function attemptOf({ attempt, at, state, failure }: ResultAttempt): ResultsDetails['attempts'][number] {
  const name = attempt === 0 ? l10n.t('First attempt') : l10n.t('Retry {0}', number(attempt));
  const time = at === undefined ? '' : absoluteTimeText(at, vscode.env.language);
  return { name: [name, time].filter(Boolean).join(' · '), value: attemptText(state, failure) };
}

function attemptText(state: ResultAttempt['state'], failure: ResultAttempt['failure']): string {
  switch (state) {
    case 'answered':
      return l10n.t('Completed');
    case 'truncated':
      return l10n.t('Truncated');
    case 'empty':
      return l10n.t('Empty');
    case 'refused':
      return l10n.t('Rejected');
    case 'waiting':
      return l10n.t('Waiting for response');
    case 'failed':
    case 'expired':
    case 'canceled':
      return failureText(failure ?? { code: '', message: '' });
  }
}

/** Formats the status, code and message of a failure in one line. */
export function failureText({ status, code, message }: NonNullable<ResultDetails['failure']>): string {
  const parts = [status === undefined ? '' : String(status), code, message].filter(Boolean);
  return parts.join(' · ') || l10n.t('The request failed. No reason given.');
}

function sinceText({ since }: ResultDetails): string | undefined {
  if (since === 'changed') return l10n.t('The line has changed since the run. This is the original request.');
  return since === 'gone' ? l10n.t('The batch file no longer contains this ID.') : undefined;
}

function noteOf(read: ResultDetails): string | undefined {
  const { state, isTooLong, isRetried, duplicates, isFailed, isFiltered, customId, choices, other } = read;
  if (isTooLong) return l10n.t('This line is too long to display.');
  if (isRetried) return l10n.t('This request is being retried.');
  if (state === 'missing') return l10n.t("The results don't contain a response to this request.");
  if (state === 'extra') {
    return customId === '' ? l10n.t("The result doesn't have an ID.") : l10n.t('No request with this ID.');
  }
  if (isFiltered) return l10n.t('The content filter withheld this response.');
  if (state === 'truncated') return l10n.t('The response is truncated. Raise max_tokens.');
  if (state === 'refused') return l10n.t('The model declined to answer.');
  if (duplicates === 1) return l10n.t('1 more result has this ID.');
  if (duplicates > 1) return l10n.t('{0} more results have this ID.', number(duplicates));
  if (!isFailed && other) return l10n.t('Not a chat response. Shown unchanged.');
  if (!isFailed && choices.every(({ text, calls, refusal }) => !text.text && calls.length === 0 && !refusal.text))
    return l10n.t('The response is empty.');
  return undefined;
}

function factsOf(read: ResultDetails) {
  const { model, requestedModel, choices, tokensIn, tokensOut, reasoningTokens, completionId, requestId, place } = read;
  const finishes = [...new Set(choices.map(({ finish }) => finish).filter((finish) => finish !== undefined))];
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Model'), model || undefined],
    [l10n.t('Requested model'), requestedModel],
    [l10n.t('Tokens in'), tokensIn === undefined ? undefined : number(tokensIn)],
    [l10n.t('Tokens out'), tokensOut === undefined ? undefined : number(tokensOut)],
    [l10n.t('Reasoning tokens'), reasoningTokens ? number(reasoningTokens) : undefined],
    [l10n.t('Finish reason'), listText(finishes, vscode.env.language) || undefined],
    [l10n.t('Completion ID'), completionId],
    [l10n.t('Request ID'), requestId],
    [l10n.t('Location'), place && l10n.t('{0}, line {1}', fileName(place.path), number(place.line))],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function fileName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}

function textOf(label: string, { text, cut }: CutText): ResultsText {
  if (cut === 0) return { label, text };
  return { label, text, cut: l10n.t('… {0} more characters. Copy the response to get all.', number(cut)) };
}
