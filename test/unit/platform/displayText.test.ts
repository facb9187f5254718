import assert from 'node:assert/strict';
import { bytesText, numberText, shortened } from '../../../src/platform/displayText';

describe('displayed numbers and IDs', () => {
  it('show bytes in steps of a thousand, in the display language', () => {
    assert.deepEqual(
      [0, 1, 999, 1000, 1234, 99_950, 123_456, 999_499, 999_999, 1_500_000, 2e12, 5e15].map((bytes) =>
        bytesText(bytes, 'en'),
      ),
      [
        '0 bytes',
        '1 byte',
        '999 bytes',
        '1 kB',
        '1.2 kB',
        '100 kB',
        '123 kB',
        '999 kB',
        '1 MB',
        '1.5 MB',
        '2 TB',
        '5,000 TB',
      ],
    );
    assert.equal(bytesText(1234, 'de'), '1,2 kB');
    assert.equal(numberText(1234567, 'de'), '1.234.567');
  });

  it('shorten an ID in the middle, by whole characters', () => {
    assert.equal(shortened('file-1'), 'file-1');
    const long = shortened('file-0123456789abcdefghijklmnop', 12);
    assert.deepEqual([long, long.length], ['file-0…lmnop', 12]);
    assert.equal(shortened('👩‍👩‍👧‍👦'.repeat(10), 3), '👩‍👩‍👧‍👦…👩‍👩‍👧‍👦');
  });
});
