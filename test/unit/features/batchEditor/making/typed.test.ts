import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  parseBytes,
  parseCount,
  parseSampleSize,
  parseSeed,
} from '../../../../../src/features/batchEditor/logic/amounts';
import { fromOneLine, toOneLine } from '../../../../../src/features/batchEditor/logic/promptText';

describe('Typed values for new batch files', () => {
  it('include any prompt in one line', () => {
    const prompt = fc.string({ unit: fc.constantFrom('\\', 'n', '\n', '{', 'a') });
    fc.assert(
      fc.property(prompt, (text) => {
        assert.ok(!toOneLine(text).includes('\n'));
        assert.equal(fromOneLine(toOneLine(text)), text);
      }),
    );
    assert.equal(fromOneLine('one\\ntwo \\{{x}} \\d'), 'one\ntwo \\{{x}} \\d');
  });

  it('are parsed as amounts, as people write them', () => {
    assert.deepEqual(['5000', '5,000', ' 1 000 ', '0', '', 'x', '1.5'].map(parseCount), [
      5000,
      5000,
      1000,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(['500 KB', '1.5gb', '2m', '7', '0', 'x MB'].map(parseBytes), [
      512_000,
      1_610_612_736,
      2_097_152,
      7,
      undefined,
      undefined,
    ]);
    assert.deepEqual(['100', '10%', '0.5 %', '100%', '100.1%', '0%', '101%', '0', 'x'].map(parseSampleSize), [
      { lines: 100 },
      { percent: 10 },
      { percent: 0.5 },
      { percent: 100 },
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(['42', '-1', '1e3'].map(parseSeed), [42, undefined, undefined]);
  });
});
