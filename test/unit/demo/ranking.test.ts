import assert from 'node:assert/strict';
import { chunksOf } from '../../../src/demo/endpoints/rerank';
import { withDemo } from './demoService';

const documents = [
  'Cars and trains',
  'Growing tomatoes in pots needs sun',
  '阳台番茄种植技巧',
  'A recipe for tomato soup',
];
const plain = { model: 'BAAI/bge-reranker-v2-m3', query: 'growing tomatoes', documents };
const resultsOf = (body: unknown) =>
  (body as { results: { index: number; relevance_score: number; document?: { text: string } }[] }).results;

describe('demo service: rerank and embeddings', () => {
  it('ranks by the words that a document shares with the query, best first, with scores from 0 to 1', () =>
    withDemo(async (demo) => {
      const results = resultsOf((await demo.post('/rerank', plain)).body);
      assert.deepEqual(
        results.slice(0, 2).map((result) => result.index),
        [1, 3],
      );
      assert.ok(results.every(({ relevance_score: score }) => score >= 0 && score <= 1));
      assert.ok(results.every((result) => result.document === undefined));
      const chinese = resultsOf((await demo.post('/rerank', { ...plain, query: '如何种植番茄' })).body);
      assert.equal(chinese[0]?.index, 2);
    }));

  it('corrupts a ranking in each requested way', () =>
    withDemo(async (demo) => {
      const spoiled = async (fault: string) => (await demo.post('/rerank', { ...plain, model: `fault/${fault}` })).body;
      const indexes = async (fault: string) => resultsOf(await spoiled(fault)).map(({ index }) => index);
      const scores = async (fault: string) =>
        resultsOf(await spoiled(fault)).map(({ relevance_score: score }): unknown => score);
      const good = resultsOf((await demo.post('/rerank', plain)).body).map(({ index }) => index);
      assert.deepEqual(await indexes('foreign-index'), [1004, ...good.slice(1)]);
      assert.deepEqual(await indexes('repeated-index'), [good[0], good[0], ...good.slice(1, -1)]);
      assert.equal((await scores('no-score')).at(-1), undefined);
      assert.equal(new Set(await scores('same-scores')).size, 1);
      assert.equal((await scores('word-for-score')).at(-1), 'NaN');
      assert.equal((await spoiled('no-usage'))['tokens'], undefined);
    }));

  it('weights a rare word of the query higher than a common one', () =>
    withDemo(async (demo) => {
      const results = resultsOf(
        (
          await demo.post('/rerank', {
            ...plain,
            query: 'red kite',
            documents: ['red car', 'red bus', 'a kite', 'red door'],
          })
        ).body,
      );
      assert.equal(results[0]?.index, 2);
    }));

  it("doesn't rank by words in every document", () =>
    withDemo(async (demo) => {
      const texts = ['The theme for the evening', 'Paying takes long', 'On the way'];
      const asked = { ...plain, query: 'pay faster on the way', documents: texts };
      const scores = resultsOf((await demo.post('/rerank', asked)).body).filter((one) => one.relevance_score > 0);
      assert.deepEqual(
        scores.map(({ index }) => index),
        [1, 2],
      );
    }));

  it('returns the requested number of results, with their text on request', () =>
    withDemo(async (demo) => {
      const results = resultsOf((await demo.post('/rerank', { ...plain, top_n: 1, return_documents: true })).body);
      assert.deepEqual(
        results.map((result) => result.document?.text),
        [documents[1]],
      );
    }));

  it('scores a long document by its best chunk, and accepts chunk settings for two models only', () =>
    withDemo(async (demo) => {
      const long = `${'trains and cars on the road. '.repeat(300)}Growing tomatoes.`;
      const score = async (more: object) =>
        resultsOf((await demo.post('/rerank', { ...plain, documents: [long, 'soup'], ...more })).body).find(
          (result) => result.index === 0,
        )?.relevance_score ?? 0;
      assert.ok((await score({})) > 0);
      assert.equal(await score({ max_chunks_per_doc: 1 }), 0);
      const refused = await demo.post('/rerank', { ...plain, model: 'Qwen/Qwen3-Reranker-8B', overlap_tokens: 10 });
      assert.deepEqual([refused.status, refused.body['code']], [400, 20015]);
      assert.equal((await demo.post('/rerank', { ...plain, overlap_tokens: 81 })).status, 400);
      assert.equal((await demo.post('/rerank', { ...plain, instruction: 'x' })).status, 400);
      assert.equal(
        (await demo.post('/rerank', { ...plain, model: 'Qwen/Qwen3-Reranker-8B', instruction: 'x' })).status,
        200,
      );
    }));

  it('splits a document into chunks of 512 tokens with the requested overlap, none of them redundant', () => {
    const counts = (overlap: number, most: number) =>
      [0, 1, 511, 512, 513, 944, 945, 1024, 1025].map((tokens) => chunksOf(' is'.repeat(tokens), overlap, most).length);
    assert.deepEqual(counts(0, 1024), [1, 1, 1, 1, 2, 2, 2, 2, 3]);
    assert.deepEqual(counts(80, 1024), [1, 1, 1, 1, 2, 2, 3, 3, 3]);
    assert.deepEqual(counts(0, 2), [1, 1, 1, 1, 2, 2, 2, 2, 2]);
    const text = '0123456789!?'.repeat(300);
    assert.equal(chunksOf(text, 0, 1024).join(''), text);
  });

  it("rejects an empty list with the service's message", () =>
    withDemo(async (demo) => {
      const refused = await demo.post('/rerank', { ...plain, documents: [] });
      assert.deepEqual(refused.body, {
        code: 20015,
        message: 'List should have at least 1 item after validation, not 0',
        data: null,
      });
    }));

  it('embeds similar texts closely, as numbers or base64, in the requested dimensions of one family', () =>
    withDemo(async (demo) => {
      const model = 'Qwen/Qwen3-Embedding-8B';
      const { body } = await demo.post('/embeddings', {
        model,
        input: ['growing tomatoes', 'tomatoes growing well', 'fast trains'],
        dimensions: 256,
      });
      const [a = [], b = [], c = []] = (body['data'] as unknown as { embedding: number[] }[]).map(
        (item) => item.embedding,
      );
      const near = (x: number[], y: number[]) => x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
      assert.equal(a.length, 256);
      assert.ok(near(a, b) > near(a, c));
      const coded = await demo.post('/embeddings', {
        model,
        input: 'growing tomatoes',
        dimensions: 256,
        encoding_format: 'base64',
      });
      assert.equal(Buffer.from(String(coded.body['data']?.['0']?.['embedding']), 'base64').length, 1024);
      assert.equal(
        (await demo.post('/embeddings', { model: 'BAAI/bge-m3', input: 'x', dimensions: 256 })).body['code'],
        20015,
      );
    }));
});
