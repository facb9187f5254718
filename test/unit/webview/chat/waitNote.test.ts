import assert from 'node:assert/strict';
import { countdown, elapsed } from '../../../../webview/screens/chat/waitNote';

describe('a countdown', () => {
  it('is shown in minutes and seconds, and never negative', () => {
    const shown = [-5, 0, 1, 1000, 1001, 23_000, 59_999, 60_000, 125_000, 3_600_000].map(countdown);
    assert.deepEqual(shown, ['0:00', '0:00', '0:01', '0:01', '0:02', '0:23', '1:00', '1:00', '2:05', '60:00']);
  });
});

describe('the wait time of an answer', () => {
  it('is shown in complete seconds', () => {
    assert.deepEqual([0, 999, 1000, 65_999].map(elapsed), ['0:00', '0:00', '0:01', '1:05']);
  });
});
