import { deepEqual, equal, doesNotThrow } from 'node:assert/strict';
import { ageWords } from '../../../src/platform/age';
import { absoluteTimeText, bytesText, numberText } from '../../../src/platform/displayText';
import {
  contextText,
  dateFormat,
  durationText,
  exactMoneyText,
  foldText,
  knownLanguage,
  listText,
  moneyText,
  nameOrder,
  numberFormat,
  searchWords,
} from '../../../src/protocol/formats';

const at = Date.UTC(2026, 10, 22, 12);

describe('numbers, times and lists', () => {
  const reported: readonly (readonly [language: string, texts: readonly string[]])[] = [
    ['en', ['1,234,567', '1.5 kB', '3 min', '5 min. ago', 'a, b, c']],
    ['zh-cn', ['1,234,567', '1.5 kB', '3分钟', '5分钟前', 'a、b、c']],
    ['de', ['1.234.567', '1,5 kB', '3 Min.', 'vor 5 Min.', 'a, b und c']],
  ];
  for (const [language, texts] of reported) {
    it(`follow the language: ${language}`, () => {
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
    it(`fall back to words for the language tag ${JSON.stringify(language)}`, () => {
      doesNotThrow(() => nameOrder(language)('a', 'b'));
      equal(numberText(1_234_567, language), '1,234,567');
      equal(bytesText(1500, language), '1.5 kB');
      equal(absoluteTimeText(at, language).includes('2026'), true);
      equal(ageWords(at - 300_000, at, language), '5 min. ago');
      equal(listText(['a', 'b'], language), 'a, b');
      doesNotThrow(() => new Intl.NumberFormat(knownLanguage(language)));
    });
  }

  it('are cached separately for every option', () => {
    equal(numberFormat('en', { maximumFractionDigits: 0 }).format(0.5), '1');
    equal(numberFormat('en', { style: 'percent', maximumFractionDigits: 0 }).format(0.5), '50%');
    equal(numberFormat('en', { minimumFractionDigits: 2 }).format(0.5), '0.50');
    equal(dateFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(at), 'Sunday, November 22, 2026');
    equal(dateFormat('zh-cn', { dateStyle: 'full', timeZone: 'UTC' }).format(at), '2026年11月22日星期日');
  });
});

describe('a duration', () => {
  it('has at most two units, and never sixty of one', () => {
    const texts: readonly (readonly [seconds: number, text: string])[] = [
      [0, '0 sec'],
      [0.02, '1 sec'],
      [59.4, '59 sec'],
      [59.6, '1 min'],
      [91.357, '1 min 31 sec'],
      [3599.6, '1 hr'],
      [3 * 3600 + 89, '3 hr 1 min'],
      [86_399, '1 day'],
      [100_000, '1 day 4 hr'],
      [3 * 86_400, '3 days'],
    ];
    for (const [seconds, text] of texts) equal(durationText(seconds * 1000, 'en'), text);
    equal(durationText(91_357, 'zh-cn'), '1分钟31秒');
  });

  it('shows tenths of a second below a minute if it was measured', () => {
    const measured = (seconds: number) => durationText(seconds * 1000, 'en', 'measured');
    equal(
      [0.01, 1.25, 42.34, 59.97, 91.357].map(measured).join(', '),
      '0.1 sec, 1.3 sec, 42.3 sec, 1 min, 1 min 31 sec',
    );
  });
});

describe('an amount of money', () => {
  it('has two decimals and its currency symbol', () => {
    equal(moneyText('88.880000000000000001', 'USD', 'en'), '$88.88');
    equal(moneyText('1234.5', 'CNY', 'en'), '¥1,234.50');
    equal(moneyText('-3', 'CNY', 'zh-cn'), '-¥3.00');
    equal(moneyText('0', 'USD', 'en'), '$0.00');
    equal(moneyText('12.', undefined, 'de'), '12,00');
  });

  it("has two significant digits below a hundredth, so a small cost isn't zero", () => {
    equal(moneyText('0.0028125', 'USD', 'en'), '$0.0028');
    equal(moneyText(0.000_042, undefined, 'en'), '0.000042');
    equal(moneyText('0.00999', 'CNY', 'en'), '¥0.01');
  });

  it('has all its decimals if it is exact', () => {
    equal(exactMoneyText('88.880000000000000001', 'USD', 'en'), '$88.880000000000000001');
    equal(exactMoneyText('5', undefined, 'en'), '5.00');
  });

  it("is unchanged if it isn't a number", () => {
    const long = '1'.repeat(1_000_000);
    for (const text of ['', 'unlimited', '1e5', 'NaN', '0x10', long]) equal(moneyText(text, 'USD', 'en'), text);
  });
});

describe('a normalized text', () => {
  it('ignores case, width, and composition', () => {
    for (const [written, folded] of [
      ['ＱＷＥＮ３', 'qwen3'],
      ['ｶﾞｲﾄﾞ', 'ガイド'],
      ['Cafe\u0301', 'café'],
      ['超时（重试）', '超时(重试)'],
    ] as const)
      equal(foldText(written), folded);
  });

  it('yields the words of a search, also between ideographic spaces', () => {
    deepEqual(searchWords('　超时　ＡＰＩ '), ['超时', 'api']);
    deepEqual(searchWords(' 　'), []);
  });
});

describe('a context length', () => {
  it('is written as on model cards', () => {
    for (const [tokens, text] of [
      [131_072, '128K'],
      [128_000, '128K'],
      [32_768, '32K'],
      [200_000, '200K'],
      [262_144, '256K'],
      [1_048_576, '1M'],
      [1_000_000, '1M'],
      [163_840, '160K'],
      [512, '512'],
    ] as const)
      equal(contextText(tokens), text);
  });
});

describe('the Chinese format', () => {
  it('has the date in Chinese and the yuan symbol', () => {
    const date = dateFormat('zh-cn', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.UTC(2026, 10, 29));
    equal(date, '2026年11月29日');
    equal(moneyText('12.5', 'CNY', 'zh-cn'), '¥12.50');
    equal(moneyText('12.5', 'USD', 'zh-cn'), '$12.50');
  });
});
