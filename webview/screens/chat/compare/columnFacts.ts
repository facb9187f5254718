import { numberFormat } from '../../../../src/protocol/formats';
import type { ChatStrings } from '../../../../src/protocol/chatStrings';
import { fill } from '../../../components/fill';
import { isRunning } from '../conversation';
import { type AnswerFacts, tokensPerSecond } from '../facts';
import { columnNames } from './columnNames';

/** Returns the state of one answer in a few words, for its tab. */
export function columnState(answer: AnswerFacts, strings: ChatStrings, locale: string): string {
  switch (answer.state) {
    case 'waiting':
      return strings.columnWaiting;
    case 'streaming':
      return strings.answeringNow;
    case 'stopped':
      return strings.stopped;
    case 'failed':
      return strings.columnFailed;
    case 'interrupted':
      return strings.columnCutOff;
    case 'done':
      return times(answer, strings, locale).join(' · ') || strings.columnDone;
  }
}

function times(answer: AnswerFacts, strings: ChatStrings, locale: string): readonly string[] {
  const rate = tokensPerSecond(answer);
  const first = answer.firstTokenMs;
  return [
    ...(first === undefined ? [] : [fill(strings.seconds, seconds(first, locale))]),
    ...(rate === undefined ? [] : [fill(strings.tokensPerSecond, whole(rate, locale))]),
  ];
}

/** Returns which model responded first and which was fastest; empty until all have ended, or if fewer than two values are known. */
export function comparisonSummary(
  answers: readonly AnswerFacts[],
  strings: ChatStrings,
  locale: string,
): readonly string[] {
  if (answers.some(isRunning)) return [];
  const names = columnNames(answers.map(({ model }) => model));
  const best = (values: readonly (number | undefined)[], isBetter: (a: number, b: number) => boolean) => {
    const known = values.flatMap((value, index) => (value === undefined ? [] : [{ value, name: names[index] ?? '' }]));
    if (known.length < 2) return undefined;
    return known.reduce((a, b) => (isBetter(b.value, a.value) ? b : a));
  };
  const first = best(
    answers.map(({ firstTokenMs }) => firstTokenMs),
    (a, b) => a < b,
  );
  const rate = best(answers.map(tokensPerSecond), (a, b) => a > b);
  return [
    ...(first ? [fill(strings.fastestFirst, first.name, fill(strings.seconds, seconds(first.value, locale)))] : []),
    ...(rate ? [fill(strings.mostPerSecond, rate.name, whole(rate.value, locale))] : []),
  ];
}

function seconds(ms: number, locale: string): string {
  return numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000);
}

function whole(value: number, locale: string): string {
  return numberFormat(locale, { maximumFractionDigits: 0 }).format(value);
}
