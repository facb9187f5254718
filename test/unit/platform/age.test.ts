import { equal } from 'node:assert/strict';
import { ageWords, durationText } from '../../../src/platform/age';

describe('the age of a reading', () => {
  const at = 1_700_000_000_000;
  it('is told in the largest unit that fits, rounded down', () => {
    equal(ageWords(at, at + 59_000, 'en'), 'now');
    equal(ageWords(at, at + 61_000, 'en'), '1 min. ago');
    equal(ageWords(at, at + 3_599_000, 'en'), '59 min. ago');
    equal(ageWords(at, at + 2 * 3_600_000, 'en'), '2 hr. ago');
    equal(ageWords(at, at + 49 * 3_600_000, 'en'), '2 days ago');
  });

  it('never lies in the future, even when the clock was set back', () => {
    equal(ageWords(at, at - 500_000, 'en'), 'now');
  });
});

describe('a duration', () => {
  it('is never sixty of a unit', () => {
    equal(durationText(59_400, 'en'), '59 sec');
    equal(durationText(59_600, 'en'), '1 min');
    equal(durationText(59.6 * 60_000, 'en'), '1 hr');
    equal(durationText(0, 'en'), '0 sec');
    equal(durationText(20, 'en'), '1 sec');
  });
});
