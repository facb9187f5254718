import { equal, doesNotThrow } from 'node:assert/strict';
import { ageWords, durationText } from '../../../src/platform/age';
import { absoluteTimeText, bytesText, numberText } from '../../../src/platform/displayText';
import { dateFormat, knownLanguage, listText, nameOrder, numberFormat } from '../../../src/protocol/formats';

const at = Date.UTC(2026, 10, 22, 12);

describe('numbers, times and lists', () => {
  const told: readonly (readonly [language: string, texts: readonly string[]])[] = [
    ['en', ['1,234,567', '1.5 kB', '3 min', '5 min. ago', 'a, b, c']],
    ['zh-cn', ['1,234,567', '1.5 kB', '3分钟', '5分钟前', 'a、b、c']],
    ['de', ['1.234.567', '1,5 kB', '3 Min.', 'vor 5 Min.', 'a, b und c']],
  ];
  for (const [language, texts] of told) {
    it(`are written as in the language: ${language}`, () => {
      const said = [
        numberText(1_234_567, language),
        bytesText(1500, language),
        durationText(180_000, language),
        ageWords(at - 300_000, at, language),
        listText(['a', '', 'b', undefined, 'c'], language),
      ];
      equal(said.join(' | '), texts.join(' | '));
    });
  }

  for (const language of ['', 'en_US', 'C', 'C.UTF-8', 'a b', 'x', 'i-klingon', '"><script>', 'qps-ploc']) {
    it(`are told in words for the language tag ${JSON.stringify(language)}`, () => {
      doesNotThrow(() => nameOrder(language)('a', 'b'));
      equal(numberText(1_234_567, language), '1,234,567');
      equal(bytesText(1500, language), '1.5 kB');
      equal(absoluteTimeText(at, language).includes('2026'), true);
      equal(ageWords(at - 300_000, at, language), '5 min. ago');
      equal(listText(['a', 'b'], language), 'a, b');
      doesNotThrow(() => new Intl.NumberFormat(knownLanguage(language)));
    });
  }

  it('are kept apart by every option', () => {
    equal(numberFormat('en', { maximumFractionDigits: 0 }).format(0.5), '1');
    equal(numberFormat('en', { style: 'percent', maximumFractionDigits: 0 }).format(0.5), '50%');
    equal(numberFormat('en', { minimumFractionDigits: 2 }).format(0.5), '0.50');
    equal(dateFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(at), 'Sunday, November 22, 2026');
    equal(dateFormat('zh-cn', { dateStyle: 'full', timeZone: 'UTC' }).format(at), '2026年11月22日星期日');
  });
});
