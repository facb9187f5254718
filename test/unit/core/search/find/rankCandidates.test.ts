import assert from 'node:assert/strict';
import { passagesOf } from '../../../../../src/core/search/find/finding';
import type { Candidates, Finding } from '../../../../../src/core/search/find/finding';
import { rankCandidates } from '../../../../../src/core/search/find/findPassages';

const candidates: Candidates<object> = {
  items: ['a.ts', 'b.ts', 'c.ts'].map((path, index) => ({
    path,
    text: `text of ${path}`,
    score: 9 - index,
  })),
  by: 'text',
  files: 3,
  leftOut: { overLimit: 0, tooLarge: 0, notText: 0, unreadable: 0 },
  tokens: 0,
};

describe('search results', () => {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const account = (answer: () => Promise<unknown>, reranker: string | undefined = 'ranker') =>
    ({
      client: { rerank: { create: answer } },
      reranker,
    }) as unknown as Parameters<typeof rankCandidates>[1];
  const rank = (answer: () => Promise<unknown>) =>
    rankCandidates({ question: 'q', candidates }, account(answer), options);
  const pathsOf = (finding: Finding<object>) =>
    passagesOf(finding).map(({ path, score, scoredBy }) => [path, score, scoredBy]);
  const score = (index: number, relevance_score: number) => ({ index, relevance_score, text: '' });

  it('are in the order of the reranker', async () => {
    const finding = await rank(async () => ({ results: [score(2, 0.9), score(0, 0.2), score(1, 0.1)], tokens: {} }));
    assert.deepEqual(pathsOf(finding), [
      ['c.ts', 0.9, 'rerank'],
      ['a.ts', 0.2, 'rerank'],
      ['b.ts', 0.1, 'rerank'],
    ]);
  });

  it('without a valid score are last, in their own order', async () => {
    const results = [score(1, 0.5), score(7, 0.9), score(-1, 0.9), score(2, Number.NaN)];
    assert.deepEqual(pathsOf(await rank(async () => ({ results, tokens: {} }))), [
      ['b.ts', 0.5, 'rerank'],
      ['a.ts', 9, 'text'],
      ['c.ts', 7, 'text'],
    ]);
  });

  it("keep their own order if they can't be ranked, with the reason", async () => {
    const error = new Error('gone');
    const failed = await rank(async () => Promise.reject(error));
    assert.deepEqual(failed.problem, { kind: 'failed', error });
    assert.deepEqual(pathsOf(failed)[0], ['a.ts', 9, 'text']);
    const none = { ...account(async () => assert.fail('asked')), reranker: undefined };
    assert.deepEqual((await rankCandidates({ question: 'q', candidates }, none, options)).problem, {
      kind: 'noReranker',
    });
  });

  it("keep their own order if the reranker didn't rank, with the reason", async () => {
    const same = await rank(async () => ({ results: [score(0, 0.5), score(2, 0.5), score(1, 0.5)], tokens: {} }));
    assert.deepEqual(same.problem, { kind: 'unranked', unranked: 'sameScores', model: 'ranker' });
    assert.deepEqual(pathsOf(same)[0], ['a.ts', 9, 'text']);
    const none = await rank(async () => ({ results: [{ index: 0, text: '' }], tokens: {} }));
    assert.deepEqual(none.problem, { kind: 'unranked', unranked: 'noScores', model: 'ranker' });
    assert.deepEqual(pathsOf(none)[0], ['a.ts', 9, 'text']);
  });

  it('cause no request if there are none, or after a stop', async () => {
    const untouched = account(async () => assert.fail('asked'));
    assert.equal(
      (await rankCandidates({ question: 'q', candidates: { ...candidates, items: [] } }, untouched, options)).problem,
      undefined,
    );
    const stopped = { ...options, signal: AbortSignal.abort() };
    await assert.rejects(rankCandidates({ question: 'q', candidates }, untouched, stopped), { name: 'AbortError' });
  });
});
