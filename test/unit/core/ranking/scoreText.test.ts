import { deepEqual } from 'node:assert/strict';
import { shortScore } from '../../../../src/core/ranking/scoreText';

describe('a score in a few characters', () => {
  it('has two significant digits, and the power of ten in a second line', () => {
    for (const [score, ...lines] of [
      [0.8712, '.87'],
      [0.9, '.90'],
      [0.9996, '1.0'],
      [0.0123, '.012'],
      [-0.456, '-.46'],
      [-3.21, '-3.2'],
      [12.4, '12'],
      [123, '120'],
      [1, '1.0'],
      [0, '0'],
      [-0, '0'],
      [0.0000123, '1.2', 'e-5'],
      [-4e-7, '-4.0', 'e-7'],
      [54321, '5.4', 'e4'],
    ] as const)
      deepEqual(shortScore(score, 'en'), lines);
    deepEqual(shortScore(0.871, 'de'), [',87']);
  });
});
