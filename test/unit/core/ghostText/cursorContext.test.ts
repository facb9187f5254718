import assert from 'node:assert/strict';
import fc from 'fast-check';
import { boundContext, isWithinWord, lineAfter, lineBefore } from '../../../../src/core/ghostText/cursorContext';
import { toRequest, shapeAt, withoutSuffix } from '../../../../src/core/ghostText/request';

describe('the context of an inline suggestion', () => {
  it('contains whole lines near the cursor', () => {
    const place = { before: 'one\ntwo\nthree\nfo', after: 'ur\nfive\nsix\nseven' };
    assert.deepEqual(boundContext(place, { before: 10, after: 10 }), { before: 'three\nfo', after: 'ur\nfive\n' });
    assert.deepEqual(boundContext(place), place);
  });

  it('cuts a line that is too long by itself, never within a character', () => {
    const face = '😀'.repeat(10);
    const bound = boundContext({ before: face, after: face }, { before: 5, after: 5 });
    assert.deepEqual(bound, { before: '😀😀', after: '😀😀' });
  });

  it('never exceeds its limits, and keeps the text at the cursor', () => {
    const text = fc.array(fc.constantFrom('a', '\n', '\r\n', '😀', ' '), { maxLength: 60 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, fc.nat(20), (before, after, limit) => {
        const bound = boundContext({ before, after }, { before: limit, after: limit });
        assert.ok(bound.before.length <= limit && bound.after.length <= limit);
        assert.ok(before.endsWith(bound.before) && after.startsWith(bound.after));
        assert.doesNotMatch(bound.before + bound.after, /\p{Surrogate}/u);
      }),
    );
  });

  it('includes its line and the kind of suggestion', () => {
    const line = { before: 'a\r\nb c', after: 'd\r\ne' };
    assert.deepEqual([lineBefore(line), lineAfter(line)], ['b c', 'd']);
    assert.equal(shapeAt(line), 'line');
    assert.equal(shapeAt({ before: 'if (a) {', after: '  \n}' }), 'passage');
    assert.equal(shapeAt({ before: 'a\n  ', after: '' }), 'block');
    assert.deepEqual(
      ['xy', ' x', '_a', '', 'é', ')'].map((after) => isWithinWord({ before: 'a', after })),
      [true, false, true, false, true, false],
    );
  });

  it('is sent with line endings that models know, and the suffix only if there is one and the model supports it', () => {
    assert.deepEqual(toRequest({ before: 'a\r\nb\r\n', after: '\r\nc' }, 'm', 64), {
      model: 'm',
      prompt: 'a\nb\n',
      suffix: '\nc',
      max_tokens: 64,
      temperature: 0.1,
      stop: ['\n\n\n'],
    });
    assert.ok(!('suffix' in toRequest({ before: 'a', after: '\n \n' }, 'm', 64)));
    assert.ok(!('suffix' in withoutSuffix(toRequest({ before: 'a', after: '\nb' }, 'm', 64))));
    assert.deepEqual(toRequest({ before: 'a', after: 'b' }, 'm', 64).stop, ['\n']);
  });
});
