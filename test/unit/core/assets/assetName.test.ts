import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assetName } from '../../../../src/core/assets/assetName';
import { anyText } from '../../../support/anyText';

const hash = 'ab'.repeat(32);

describe('the name of a generated file', () => {
  it('consists of words of the prompt, the beginning of its hash, and the extension of its content', () => {
    for (const [words, slug] of [
      ['A red fox, jumping over the lazy dog again', 'a-red-fox-jumping-over-the'],
      ['Über façade — naïve', 'uber-facade-naive'],
      ['山の上の城', 'untitled'],
      ['  \n ', 'untitled'],
      ['../../etc/passwd', 'etc-passwd'],
      ['con', 'untitled'],
      ['x'.repeat(500), 'x'.repeat(48)],
    ] as const) {
      assert.equal(assetName(words, hash, 'png'), `${slug}-abababababab.png`);
    }
  });

  it('is safe for every file system, whatever the prompt', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (words) => {
        assert.match(assetName(words, hash, 'png'), /^[a-z0-9][a-z0-9-]{0,47}-[\da-f]{12}\.png$/);
      }),
    );
  });
});
