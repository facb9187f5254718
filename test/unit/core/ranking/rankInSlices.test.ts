import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Ranking, RerankRequest } from '../../../../src/core/api/rerank/rerank.schema';
import { checkRanking, rankInSlices, cutSlices } from '../../../../src/core/ranking/rankInSlices';

/** Scores by the number each document is. */
const scored = ({ documents, top_n }: RerankRequest): Ranking => ({
  id: `of ${documents[0]}`,
  results: documents
    .map((text, index) => ({ index, relevance_score: Number(text) / 100, text: `${text}!` }))
    .toSorted((one, other) => other.relevance_score - one.relevance_score)
    .slice(0, top_n ?? undefined),
  tokens: { input_tokens: documents.length, output_tokens: 1 },
});
const request = { model: 'm', query: 'q', documents: ['10', '50', '30', '90', '70'] };
const limits = { documents: 2, tokens: 1000 };

describe('a ranking in parts', () => {
  it('is combined by score, with the total usage', async () => {
    const reported: string[] = [];
    const ranked = await rankInSlices(async (sent) => scored(sent), request, {
      limits,
      onProgress: (done, total) => reported.push(`${done}/${total}`),
    });
    deepEqual(
      ranked.scores.map(({ index, score }) => `${index}: ${score}`),
      ['3: 0.9', '4: 0.7', '1: 0.5', '2: 0.3', '0: 0.1'],
    );
    deepEqual([ranked.calls, ranked.tokens, ranked.unscored], [3, { input: 5, output: 3 }, []]);
    deepEqual(ranked.ids.toSorted(), ['of 10', 'of 30', 'of 70']);
    deepEqual(reported, ['2/5', '4/5', '5/5']);
  });

  it('counts as no ranking if different documents have the same score, but not if equal ones do', async () => {
    const same = async (sent: RerankRequest): Promise<Ranking> => ({
      results: sent.documents.map((text, index) => ({ index, relevance_score: 0.5, text })),
      tokens: {},
    });
    const of = async (...documents: string[]) =>
      (await rankInSlices(same, { ...request, documents }, { limits })).unranked;
    equal(await of('a', 'b', 'c'), 'sameScores');
    equal(await of('a', 'a', 'a'), undefined);
    equal(await of('a'), undefined);
  });

  it('requests the top count from each part and returns as many in total', async () => {
    const asked: (number | null | undefined)[] = [];
    const create = async (sent: RerankRequest) => {
      asked.push(sent.top_n);
      return scored(sent);
    };
    const ranked = await rankInSlices(create, { ...request, top_n: 2 }, { limits });
    deepEqual(asked, [2, 2, 2]);
    deepEqual(
      ranked.scores.map(({ index }) => index),
      [3, 4],
    );
    deepEqual(ranked.unscored, [0, 1, 2]);
  });

  it('keeps paid results when a request fails, and sends only the rest afterwards', async () => {
    const failing = async (sent: RerankRequest) => {
      if (sent.documents.includes('90')) throw new Error('overloaded');
      return scored(sent);
    };
    const first = await rankInSlices(failing, request, { limits });
    ok(first.failure?.error instanceof Error && first.failure.error.message === 'overloaded');
    deepEqual(first.unscored, [2, 3]);
    const sent: (readonly string[])[] = [];
    const create = async (rest: RerankRequest) => {
      sent.push(rest.documents);
      return scored(rest);
    };
    const whole = await rankInSlices(create, request, { limits, already: first.slices });
    deepEqual(sent, [['30', '90']]);
    equal(whole.failure, undefined);
    deepEqual([whole.unscored, whole.calls, whole.tokens.input], [[], 3, 5]);
  });

  it('fails with the error of its only request', async () => {
    await rejects(
      rankInSlices(() => Promise.reject(new Error('no')), request, { limits: { documents: 99, tokens: 999 } }),
      /no/,
    );
  });

  it('ends immediately when canceled, and sends no more requests', async () => {
    const cancelling = new AbortController();
    const documents = Array.from({ length: 100 }, (_, at) => String(at));
    let started = 0;
    const create = async (sent: RerankRequest, signal?: AbortSignal): Promise<Ranking> => {
      if (++started < 4) return scored(sent);
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        if (started === 7) cancelling.abort();
      });
    };
    const ranked = await rankInSlices(create, { ...request, documents }, { limits }, cancelling.signal);
    ok(ranked.failure);
    equal(ranked.calls, 3);
    equal(started, 7);
    await rejects(rankInSlices(create, request, { limits }, AbortSignal.abort()), { name: 'AbortError' });
    equal(started, 7);
  });

  it('reports invalid entries by document numbers of the complete list', async () => {
    const create = async (sent: RerankRequest): Promise<Ranking> => ({
      results: sent.documents.includes('90')
        ? [
            { index: 1, text: '' },
            { index: 9, relevance_score: 1, text: '' },
            { relevance_score: 1, text: '' },
          ]
        : scored(sent).results,
      tokens: {},
    });
    const ranked = await rankInSlices(create, request, { limits });
    deepEqual(ranked.problems, [
      { at: 0, kind: 'scoreMissing', index: 3 },
      { at: 1, kind: 'indexUnknown', index: 9 },
      { at: 2, kind: 'indexMissing' },
    ]);
    deepEqual(ranked.unscored, [2, 3]);
  });
});

describe('the parts of a document list', () => {
  it('stay within the count and token limits, with the query once per document', () => {
    const documents = Array.from({ length: 5 }, () => 'word');
    deepEqual(cutSlices({ documents, query: 'q' }, { documents: 3, tokens: 99 }), [
      [0, 1, 2],
      [3, 4],
    ]);
    deepEqual(cutSlices({ documents, query: 'q' }, { documents: 99, tokens: 4 }), [[0, 1], [2, 3], [4]]);
  });

  it('contain a document that is too long alone', () => {
    const documents = ['a', 'long '.repeat(100), 'b'];
    deepEqual(cutSlices({ documents, query: 'q' }, { documents: 9, tokens: 10 }), [[0], [1], [2]]);
  });
});

describe('problems in a response', () => {
  it('are reported entry by entry, and the rest is kept', () => {
    const entry = (index: number | undefined, relevance_score: number | undefined) => ({ index, relevance_score });
    const { scores, problems } = checkRanking(
      [
        entry(0, 0.9),
        entry(7, 0.8),
        entry(-1, 0.8),
        entry(0.5, 0.7),
        entry(Number.NaN, 0.7),
        entry(undefined, 0.6),
        entry(1, undefined),
        entry(2, Number.NaN),
        entry(3, Number.POSITIVE_INFINITY),
        entry(0, 0.9),
        entry(4, 0.5),
        entry(4, 0.4),
        entry(5, -2.5),
      ],
      7,
    );
    deepEqual(scores, [
      { index: 0, score: 0.9 },
      { index: 5, score: -2.5 },
    ]);
    deepEqual(
      problems.map(({ at, kind }) => `${at} ${kind}`),
      [
        '1 indexUnknown',
        '2 indexUnknown',
        '3 indexUnknown',
        '4 indexUnknown',
        '5 indexMissing',
        '6 scoreMissing',
        '7 scoreNotNumber',
        '8 scoreNotNumber',
        '9 indexRepeated',
        '11 indexRepeated',
      ],
    );
    deepEqual(
      problems.flatMap((problem) => (problem.kind === 'indexRepeated' ? problem.isSameScore : [])),
      [true, false],
    );
  });
});
