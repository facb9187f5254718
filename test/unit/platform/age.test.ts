import { equal } from 'node:assert/strict';
import { ageWords, leftText } from '../../../src/platform/age';

describe('the age of a value', () => {
  const at = 1_700_000_000_000;
  it('is shown in the largest unit that fits, rounded down', () => {
    equal(ageWords(at, at + 59_000, 'en'), 'now');
    equal(ageWords(at, at + 61_000, 'en'), '1 min. ago');
    equal(ageWords(at, at + 3_599_000, 'en'), '59 min. ago');
    equal(ageWords(at, at + 2 * 3_600_000, 'en'), '2 hr. ago');
    equal(ageWords(at, at + 49 * 3_600_000, 'en'), '2 days ago');
  });

  it('is never negative, even after the clock was set back', () => {
    equal(ageWords(at, at - 500_000, 'en'), 'now');
  });
});

describe('the time left', () => {
  const left = (hours: number) => leftText(hours * 3_600_000, 0, 'en');
  it('is shown in full hours, and in days from three days on', () => {
    equal(left(0), undefined);
    equal(left(0.001), '1 min');
    equal(left(0.99), '59 min');
    equal(left(23.9), '23 hr');
    equal(left(25), '1 day 1 hr');
    equal(left(80), '3 days');
  });
});
