import assert from 'node:assert/strict';
import { emptyForm } from '../../../../src/protocol/rerankForm';
import {
  documentsOf,
  proposedSplit,
  splitsOf,
  isLongFor,
  findPiece,
} from '../../../../src/features/rerank/logic/documents';
import type { RerankSource } from '../../../../src/features/rerank/logic/documents';
import { rankedOf, reorderRanking, positionsAfter } from '../../../../src/features/rerank/logic/rankedDocuments';
import { notTakenBy, readForm } from '../../../../src/features/rerank/logic/readForm';
import { createQueryHistory } from '../../../../src/features/rerank/logic/rerankStore';
import type { SavedRanking } from '../../../../src/features/rerank/logic/rerankStore';
import { toTextQuery } from '../../../../src/core/search/textSearch';

const at = { uri: 'file:///a', line: 10, character: 4 };
const sourceOf = (...texts: readonly string[]): RerankSource => ({
  kind: 'files',
  title: '',
  texts: texts.map((text) => ({ text, name: 'a', at })),
  remarks: [],
});

describe('documents of a source', () => {
  it('have locations, with any kind of line ending', () => {
    const { list } = documentsOf(sourceOf('one\r\ntwo\rthree\n  four'), 'lines');
    assert.deepEqual(
      list.map(({ piece, at: place }) => [piece.trim(), place?.line, place?.character]),
      [
        ['one', 10, 4],
        ['two', 11, 0],
        ['three', 12, 0],
        ['four', 13, list[3]!.piece.startsWith(' ') ? 0 : 2],
      ],
    );
  });

  it('are complete texts if there are several, or the parts of a single one', () => {
    assert.equal(proposedSplit(sourceOf('a\nb', 'c\nd')), 'whole');
    assert.equal(proposedSplit(sourceOf('a\nb')), 'lines');
    const table = { text: 'city,country\nParis,France\nRome,Italy\n', name: 'places.csv' };
    const of = (text: typeof table, line?: number) =>
      proposedSplit({
        ...sourceOf('a'),
        texts: [{ ...text, ...(line !== undefined && { at: { uri: '', line, character: 0 } }) }],
      });
    assert.deepEqual([of(table), of(table, 0)], ['rows', 'rows']);
    // A selection without the header, and a text whose name doesn't say that it's a table.
    assert.deepEqual([of(table, 3), of({ ...table, name: 'notes.txt' })], ['lines', 'lines']);
    assert.deepEqual(
      splitsOf(sourceOf('a\nb', 'c')).find(({ by }) => by === 'lines'),
      { by: 'lines', count: 3 },
    );
  });

  it('are found in an edited text at the nearest location', () => {
    assert.equal(findPiece('x one y one', 'one', 2), 2);
    assert.equal(findPiece('one x x x x one', 'one', 11), 12);
    assert.equal(findPiece('one x x x x one', 'one', 3), 0);
    assert.equal(findPiece('nothing', 'one', 0), undefined);
    assert.equal(findPiece('one', 'one', 99), 0);
  });

  it('keep their ranking when they are reordered, or when only some are kept', () => {
    const ranking: SavedRanking = {
      parameters: { query: 'q', model: 'm' },
      sent: [0, 2, 3],
      slices: [
        {
          indexes: [0, 1, 2],
          scores: [
            { index: 0, score: 0.1 },
            { index: 1, score: 0.9 },
            { index: 2, score: 0.5 },
          ],
          problems: [],
          tokens: { input: 1, output: 0 },
        },
      ],
      at: 0,
      durationMs: 0,
    };
    const scores = (order: readonly number[]) => rankedOf(reorderRanking(ranking, order)).scores;
    assert.deepEqual(scores([2, 3, 0, 1]), [
      { index: 0, score: 0.9 },
      { index: 1, score: 0.5 },
      { index: 2, score: 0.1 },
    ]);
    assert.deepEqual(reorderRanking(ranking, [2, 3, 0, 1]).sent, [0, 1, 2]);
    assert.deepEqual(positionsAfter([1, 0], [2, 3, 0, 1]), [2, 3]);
    assert.deepEqual(scores([3, 2]), [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.5 },
    ]);
  });
});

describe('a document longer than the model supports', () => {
  it('is reported with its tokens and those of the query if both together exceed the limit', () => {
    const isLong = (tokens: number, context?: number) => isLongFor(tokens, 12, context);
    assert.deepEqual(
      [99, 100, 101].map((tokens) => isLong(tokens - 12, 100)),
      [false, false, true],
    );
    assert.equal(isLong(1), false);
  });
});

describe('the rerank form', () => {
  it('sends only set, valid, and supported values', () => {
    const form = {
      ...emptyForm,
      query: ' q ',
      model: 'BAAI/bge-reranker-v2-m3',
      overlap_tokens: '0',
      instruction: 'x',
    };
    assert.deepEqual(readForm(form).parameters, { query: 'q', model: form.model, overlap_tokens: 0 });
    assert.deepEqual(notTakenBy('Qwen/Qwen3-Reranker-8B'), ['max_chunks_per_doc', 'overlap_tokens']);
    const { parameters, issues } = readForm({ ...form, top_n: '0', max_chunks_per_doc: '1e3', overlap_tokens: '81' });
    assert.deepEqual(Object.keys(parameters), ['query', 'model']);
    assert.deepEqual(
      issues.map(({ field, issue }) => [field, issue?.rule]),
      [
        ['top_n', 'min'],
        ['max_chunks_per_doc', undefined],
        ['overlap_tokens', 'max'],
      ],
    );
  });

  it('stores queries, newest first, each once, up to fifty', async () => {
    let saved: unknown = ['old', 7];
    const history = createQueryHistory({
      get: <T>() => saved as T,
      update: async (_key, value) => void (saved = value),
    });
    assert.deepEqual(history.list, ['old']);
    for (const query of [...Array.from({ length: 60 }, (_, index) => `q${index}`), 'old']) await history.add(query);
    assert.equal(history.list.length, 50);
    assert.deepEqual(history.list.slice(0, 2), ['old', 'q59']);
    await history.forget('old');
    assert.equal(history.list[0], 'q59');
  });

  it('treats a text between slashes as a regular expression', () => {
    assert.deepEqual(toTextQuery('a/b'), { text: 'a/b' });
    assert.deepEqual(toTextQuery('/a.b/'), { text: 'a.b', isRegExp: true, isCaseSensitive: false });
    assert.deepEqual(toTextQuery('/a/c'), { text: 'a', isRegExp: true, isCaseSensitive: true });
  });
});
