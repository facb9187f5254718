import assert from 'node:assert/strict';
import { createFocus } from '../../../../src/core/search/textRanking';
import { scoreText } from '../../../../src/core/ranking/scoreText';
import { barsOf } from '../../../../src/features/findByMeaning/logic/scoreBars';

describe('a displayed search result', () => {
  it('has a bar for its score in any range', () => {
    assert.deepEqual(barsOf([1, 0.5, 0.04]), ['▰▰▰▰▰', '▰▰▰▱▱', '▱▱▱▱▱']);
    assert.deepEqual(barsOf([8, 3, -2]), ['▰▰▰▰▰', '▰▰▰▱▱', '▱▱▱▱▱']);
    assert.deepEqual(barsOf([]), []);
    assert.deepEqual([scoreText(0.876, 'en'), scoreText(-3, 'en')], ['0.88', '-3.00']);
  });

  it('has a score that is distinguishable near zero and one', () => {
    const texts = (...scores: readonly number[]) => scores.map((score) => scoreText(score, 'en'));
    assert.deepEqual(texts(0, -0, 1, 0.5), ['0.00', '0.00', '1.00', '0.50']);
    assert.deepEqual(texts(0.0051, 0.00052, 0.000051, 0.00000123, -0.0000045), [
      '0.0051',
      '0.00052',
      '5.1E-5',
      '1.23E-6',
      '-4.5E-6',
    ]);
    assert.deepEqual(texts(0.9951, 0.99951, 0.9999901, 123.456), ['0.9951', '0.99951', '0.9999901', '123.46']);
  });

  it('starts at the line that best matches the question', () => {
    const focusOf = createFocus('How are requests retried?');
    assert.deepEqual(focusOf('import x\nrequest\n  retry the request\nretries'), {
      line: 2,
      text: '  retry the request',
    });
    assert.deepEqual(focusOf('{\n\nnothing of it'), { line: 2, text: 'nothing of it' });
    assert.deepEqual(focusOf('{'), { line: 0, text: '{' });
  });
});
