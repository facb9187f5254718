import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTermCounter, questionTerms, termsOf, createTextRanking } from '../../../../src/core/search/textRanking';

describe('terms of a text', () => {
  const cases: readonly (readonly [text: string, terms: readonly string[]])[] = [
    ['Retries, retried and RETRY', ['retry', 'retry', 'and', 'retry']],
    ['stopped stopping stops stop', ['stop', 'stop', 'stop', 'stop']],
    ['caches cached caching cache', ['cach', 'cach', 'cach', 'cach']],
    ['readWholeFile', ['readwholefil', 'read', 'whol', 'fil']],
    ['HTTPServer2 snake_case', ['httpserver2', 'http', 'server', '2', 'snak', 'cas']],
    ['größe naïve', ['größe', 'naïve']],
    ['重试请求', ['重试', '试请', '请求']],
    ['速 limit', ['速', 'limit']],
    ['', []],
  ];
  for (const [text, terms] of cases)
    it(`are extracted from “${text}”`, () => assert.deepEqual([...termsOf(text)], terms));

  it('of a question are its subjects, each once', () => {
    assert.deepEqual(questionTerms('Where are the requests retried after a request?'), ['request', 'retry', 'after']);
    assert.deepEqual(questionTerms('What is this?'), ['what', 'is', 'thi']);
    assert.deepEqual(questionTerms('?!'), []);
  });

  it('are counted without reading unrelated text, with the same result', () => {
    const words = fc.constantFrom(
      'retry',
      'retries',
      'reTry',
      'limit',
      'limits',
      'a',
      '重试',
      '试请求',
      'x1y',
      'größe',
      '😀',
      ' ',
      '_',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 40 }),
        fc.array(words, { minLength: 1, maxLength: 3 }),
        (text, asked) => {
          const terms = questionTerms(asked.join(' '));
          const whole = text.join('');
          const expected = new Map<string, number>();
          for (const term of termsOf(whole))
            if (terms.includes(term)) expected.set(term, (expected.get(term) ?? 0) + 1);
          const counts = createTermCounter(terms)(whole);
          assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(expected));
        },
      ),
    );
  });
});

describe('ranking texts by the words of a question', () => {
  const rank = (question: string, texts: Readonly<Record<string, string>>, most = 10) => {
    const ranking = createTextRanking<string>(question);
    for (const [path, text] of Object.entries(texts)) ranking.add(path, text, path);
    return ranking.best(most).map(({ item }) => item);
  };

  it('ranks rare words above common ones, and short texts above long ones', () => {
    const common = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}.ts`, 'request '.repeat(3)]));
    const texts = {
      ...common,
      'x.ts': 'the backoff of a request',
      'y.ts': `the backoff of a request ${'and more '.repeat(99)}`,
    };
    assert.deepEqual(rank('backoff of requests', texts, 2), ['x.ts', 'y.ts']);
  });

  it('counts the words of the path', () => {
    assert.deepEqual(rank('retry', { 'src/other.ts': 'retry', 'src/retry.ts': 'retry' }), [
      'src/retry.ts',
      'src/other.ts',
    ]);
  });

  it('excludes texts without a shared word, and finds nothing for punctuation', () => {
    assert.deepEqual(rank('retry', { 'a.ts': 'nothing of it' }), []);
    assert.deepEqual(rank('?', { 'a.ts': 'what?' }), []);
  });

  it("matches the formula's values", () => {
    const ranking = createTextRanking<number>('cat');
    for (const [index, text] of ['cat cat', 'dog dog', 'cow cow'].entries()) ranking.add(index, text, '');
    // ln(1 + (3 - 1 + 0.5) / (1 + 0.5)) · 2 · 2.2 / (2 + 1.2), all texts being of one length.
    const expected = (Math.log(1 + 2.5 / 1.5) * 2 * 2.2) / 3.2;
    assert.ok(Math.abs(ranking.best(1)[0]!.score - expected) < 1e-12);
  });

  it('keeps the best within its memory limit', () => {
    const ranking = createTextRanking<number>('needle', 10);
    for (let index = 0; index < 100; index += 1) ranking.add(index, `needle ${'hay '.repeat(index)}`, '');
    assert.ok(ranking.found < 20);
    assert.deepEqual(
      ranking.best(3).map(({ item }) => item),
      [0, 1, 2],
    );
  });
});
