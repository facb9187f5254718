import assert from 'node:assert/strict';
import { createFocus } from '../../../../src/core/search/textRanking';
import { barsOf, scoreText } from '../../../../src/features/findByMeaning/scoreText';

describe('how a place is shown', () => {
  it('with a bar of its score, whatever scores a model gives', () => {
    assert.deepEqual(barsOf([1, 0.5, 0.04]), ['▰▰▰▰▰', '▰▰▰▱▱', '▱▱▱▱▱']);
    assert.deepEqual(barsOf([8, 3, -2]), ['▰▰▰▰▰', '▰▰▰▱▱', '▱▱▱▱▱']);
    assert.deepEqual(barsOf([]), []);
    assert.deepEqual([scoreText(0.876, 'en'), scoreText(-3, 'en')], ['0.88', '-3.00']);
  });

  it('at the line that has the most of the question', () => {
    const focusOf = createFocus('How are requests retried?');
    assert.deepEqual(focusOf('import x\nrequest\n  retry the request\nretries'), {
      line: 2,
      text: '  retry the request',
    });
    assert.deepEqual(focusOf('{\n\nnothing of it'), { line: 2, text: 'nothing of it' });
    assert.deepEqual(focusOf('{'), { line: 0, text: '{' });
  });
});
