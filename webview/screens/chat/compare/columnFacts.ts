import * as l10n from '@vscode/l10n';
import { numberFormat } from '../../../../src/protocol/formats';
import { isRunning } from '../conversation';
import { type AnswerFacts, costText, tokensPerSecond } from '../facts';
import { columnNames } from '../modelNames';

/** Returns the state of one answer in a few words, for its tab. */
export function columnState(answer: AnswerFacts, locale: string): string {
  switch (answer.state) {
    case 'waiting':
      return l10n.t('waiting');
    case 'streaming':
      return l10n.t('answering');
    case 'stopped':
      return l10n.t('stopped');
    case 'failed':
      return l10n.t('no response');
    case 'interrupted':
      return l10n.t('incomplete');
    case 'done':
      return times(answer, locale).join(' · ') || l10n.t('completed');
  }
}

function times(answer: AnswerFacts, locale: string): readonly string[] {
  const rate = tokensPerSecond(answer);
  const first = answer.firstTokenMs;
  return [
    ...(first === undefined ? [] : [l10n.t('{0} s', seconds(first, locale))]),
    ...(rate === undefined ? [] : [l10n.t('{0} tok/s', whole(rate, locale))]),
  ];
}

/** Returns which model responded first, which was fastest, and what they cost together; empty until all have ended, or if fewer than two values are known. */
export function comparisonSummary(answers: readonly AnswerFacts[], locale: string): readonly string[] {
  if (answers.some(isRunning)) return [];
  const usages = answers.flatMap(({ usage }) => (usage?.cost === undefined ? [] : [usage]));
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
    ...(first
      ? [l10n.t('Fastest first token: {0} ({1})', first.name, l10n.t('{0} s', seconds(first.value, locale)))]
      : []),
    ...(rate ? [l10n.t('Most tokens per second: {0} ({1})', rate.name, whole(rate.value, locale))] : []),
    ...(usages.length > 1 && usages.length === answers.length
      ? [l10n.t('Total cost: {0}', costText(usages, locale))]
      : []),
  ];
}

function seconds(ms: number, locale: string): string {
  return numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000);
}

function whole(value: number, locale: string): string {
  return numberFormat(locale, { maximumFractionDigits: 0 }).format(value);
}
