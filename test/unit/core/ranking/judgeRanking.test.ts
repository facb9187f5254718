import { equal, ok } from 'node:assert/strict';
import {
  judgeRanking,
  discountedGain,
  meanReciprocalRank,
  ndcg,
  reciprocalRank,
} from '../../../../src/core/ranking/judgeRanking';
import { readJudgements } from '../../../../src/core/ranking/judgements';
import { scoreParts } from '../../../../src/core/ranking/scoreText';

const close = (value: number | undefined, expected: number) =>
  ok(value !== undefined && Math.abs(value - expected) < 0.0006, `${value} is not ${expected}`);

/** The example of https://en.wikipedia.org/wiki/Discounted_cumulative_gain: six documents of a list, and two more that were judged. */
const relevances = [3, 2, 3, 0, 1, 2];
const all = [...relevances, 3, 2];

describe('nDCG', () => {
  it('matches published examples', () => {
    close(discountedGain(relevances, 6), 6.861);
    close(discountedGain([3, 3, 3, 2, 2, 2], 6), 8.74);
    close(ndcg(relevances, all, 6), 0.785);
    close(ndcg(relevances, relevances, 6), 0.961);
  });

  it('is limited to the first ranks on request, and is 0 without a relevant document among them', () => {
    equal(ndcg([0, 0, 1], undefined, 2), 0);
    equal(ndcg([1, 1, 0], undefined, 2), 1);
    close(ndcg([0, 1]), 1 / Math.log2(3));
  });

  it('is undefined without relevant ratings', () => {
    equal(ndcg([0, 0]), undefined);
    equal(ndcg([]), undefined);
    equal(ndcg([1], undefined, 0), undefined);
  });
});

describe('the reciprocal rank', () => {
  it('matches the published example', () => {
    // https://en.wikipedia.org/wiki/Mean_reciprocal_rank: found at the third, the second and the first place.
    const rankings = [
      [false, false, true],
      [false, true, false],
      [true, false, false],
    ];
    close(meanReciprocalRank(rankings), 11 / 18);
    equal(reciprocalRank([false, false]), 0);
    equal(meanReciprocalRank([]), undefined);
  });
});

describe('the quality of a ranking', () => {
  const { judgements } = readJudgements('');
  const documents = ['a', 'b', 'c', 'd'];
  judgements.set({ query: 'q', document: 'b', relevant: true, at: 0 });
  judgements.set({ query: 'q', document: 'd', relevant: true, at: 0 });
  judgements.set({ query: 'q', document: 'a', relevant: false, at: 0 });

  it('is measured by rated documents, ranked or not', () => {
    const {
      judged,
      relevant,
      ndcg: gain,
      reciprocalRank: first,
    } = judgeRanking({ query: 'q', documents, order: [0, 1, 2] }, judgements, 10);
    equal(`${judged} ${relevant}`, '3 2');
    close(gain, 1 / Math.log2(3) / (1 + 1 / Math.log2(3)));
    equal(first, 0.5);
  });

  it('is unknown for another query', () => {
    const quality = judgeRanking({ query: 'other', documents, order: [0] }, judgements, 10);
    equal(JSON.stringify(quality), '{"judged":0,"relevant":0}');
  });
});

describe('the bars of scores', () => {
  it('are the scores if these are fractions of one, or else scaled from lowest to highest', () => {
    equal(scoreParts([0.9, 0.1]).join(), '0.9,0.1');
    equal(scoreParts([8, 3, -2]).join(), '1,0.5,0');
    equal(scoreParts([4]).join(), '1');
    equal(scoreParts([]).join(), '');
  });
});
