import * as l10n from '@vscode/l10n';
import { dateFormat, moneyText, numberFormat } from '../../../src/protocol/formats';
import type { Answer, AnswerUsage } from '../../../src/protocol/chat';

export type AnswerFacts = Omit<Answer, 'blocks'>;

/** End reasons without a detail, because a refusal and a token limit have their own notes. */
const limitEnds: ReadonlySet<string | undefined> = new Set(['max_tokens', 'length', 'model_context_window_exceeded']);
const usualEnds: ReadonlySet<string> = new Set(['end_turn', 'stop', 'refusal', 'pause_turn', ...limitEnds] as string[]);

/** Whether the answer was cut off at its token limit. */
export function endedAtLimit({ state, stopReason }: AnswerFacts): boolean {
  return state === 'done' && limitEnds.has(stopReason);
}

/** Returns the known facts about an answer, in display order. */
export function facts(answer: AnswerFacts, locale: string): readonly string[] {
  const took = tookText(answer, locale);
  return [...endFacts(answer), ...figures(answer, locale), ...(took === undefined ? [] : [took])];
}

/** Returns what is unusual about an answer. */
export function endFacts(answer: AnswerFacts): readonly string[] {
  const shown: string[] = [];
  if (answer.prefilled) shown.push(l10n.t('starts with your text'));
  if (answer.state === 'stopped') shown.push(l10n.t('stopped'));
  if (answer.answeredBy !== undefined) shown.push(l10n.t('response from {0}', answer.answeredBy));
  if (answer.omitted) shown.push(l10n.t('not sent with later messages'));
  const end = stopWords(answer);
  if (end) shown.push(end);
  return shown;
}

/** Returns how long an answer took; `undefined` if it was rejected at once, or that is unknown. */
export function tookText({ state, firstTokenMs, totalMs }: AnswerFacts, locale: string): string | undefined {
  const isRejected = state === 'failed' && firstTokenMs === undefined;
  return totalMs === undefined || isRejected ? undefined : l10n.t('{0} s', seconds(totalMs, locale));
}

/** Returns what was counted and measured of an answer. */
export function figures(answer: AnswerFacts, locale: string): readonly string[] {
  const { usage, firstTokenMs } = answer;
  const whole = numberFormat(locale, { maximumFractionDigits: 0 });
  const shown: string[] = [];
  const count = (tokens: number, isEstimate = false) =>
    isEstimate ? l10n.t('about {0}', whole.format(tokens)) : whole.format(tokens);
  if (usage?.inputTokens !== undefined) shown.push(l10n.t('{0} in', count(usage.inputTokens, usage.inputIsEstimate)));
  if (usage?.outputTokens !== undefined)
    shown.push(l10n.t('{0} out', count(usage.outputTokens, usage.outputIsEstimate)));
  if (usage?.cost !== undefined) shown.push(l10n.t('Cost {0}', costText([usage], locale)));
  if (firstTokenMs !== undefined)
    shown.push(l10n.t('first token after {0}', l10n.t('{0} s', seconds(firstTokenMs, locale))));
  const rate = tokensPerSecond(answer);
  if (rate !== undefined) {
    const format = rate < 10 ? numberFormat(locale, { maximumFractionDigits: 1 }) : whole;
    shown.push(l10n.t('{0} tok/s', format.format(rate)));
  }
  return shown;
}

/** Formats what answers cost together. */
export function costText(usages: readonly AnswerUsage[], locale: string): string {
  const total = usages.reduce((sum, { cost = 0 }) => sum + cost, 0);
  const currency = usages.find((one) => one.currency !== undefined)?.currency;
  return moneyText(total, currency === 'CNY' || currency === 'USD' ? currency : undefined, locale);
}

/** Returns the service's ids of an answer, for people who ask its support. */
export function responseIds({ responseId, requestId, traceId }: AnswerFacts): readonly string[] {
  return [
    ...(responseId === undefined ? [] : [l10n.t('Response ID: {0}', responseId)]),
    ...(requestId === undefined ? [] : [l10n.t('Request ID: {0}', requestId)]),
    ...(traceId === undefined ? [] : [l10n.t('Trace ID: {0}', traceId)]),
  ];
}

/** Returns the rate over the time from the first token on; `undefined` if that time is too short, or its tokens are estimated. */
export function tokensPerSecond({ usage, firstTokenMs, totalMs }: AnswerFacts): number | undefined {
  if (
    usage?.outputTokens === undefined ||
    usage.outputIsEstimate ||
    firstTokenMs === undefined ||
    totalMs === undefined
  )
    return undefined;
  const writingMs = totalMs - firstTokenMs;
  return usage.outputTokens > 1 && writingMs >= 50 ? (usage.outputTokens / writingMs) * 1000 : undefined;
}

/** Returns why the answer ended, unless the reason is a usual one. */
function stopWords({ stopReason, stopSequence }: AnswerFacts): string | undefined {
  switch (stopReason) {
    case undefined:
      return undefined;
    case 'stop_sequence':
      return stopSequence === undefined
        ? l10n.t('ended at a stop sequence')
        : l10n.t('ended at stop sequence "{0}"', visible(stopSequence));
    case 'tool_use':
      return l10n.t('ended with a tool call');
    default:
      if (stopSequence !== undefined) return l10n.t('ended at stop sequence "{0}"', visible(stopSequence));
      return usualEnds.has(stopReason) ? undefined : l10n.t('stop reason: {0}', stopReason);
  }
}

/** Escapes line breaks and tabs, the way they are typed in the list of stop sequences. */
function visible(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

function seconds(ms: number, locale: string): string {
  const digits = ms < 10_000 ? 1 : 0;
  return numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(ms / 1000);
}

export interface AskedTime {
  /** The time of day; with the date if it was not today, and the year if it was not this year. */
  readonly short: string;
  readonly full: string;
}

export function timeOfQuestion(at: number, now: number, locale: string): AskedTime {
  const date = new Date(at);
  const today = new Date(now);
  const time: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
  const day: Intl.DateTimeFormatOptions = { ...time, month: 'short', day: 'numeric' };
  const isThisYear = date.getFullYear() === today.getFullYear();
  const short =
    date.toDateString() === today.toDateString() ? time : isThisYear ? day : { ...day, year: 'numeric' as const };
  return {
    short: dateFormat(locale, short).format(date),
    full: dateFormat(locale, { dateStyle: 'full', timeStyle: 'medium' }).format(date),
  };
}
