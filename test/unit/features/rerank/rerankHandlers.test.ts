import assert from 'node:assert/strict';
import { rerankHandlers } from '../../../../src/features/rerank/logic/rerankHandlers';
import type { TabActions } from '../../../../src/features/rerank/logic/rerankHandlers';
import type { RerankProgress } from '../../../../src/protocol/rerank';
import { byLength, createRerankRig } from '../../../support/rerankPage';
import type { RigOptions } from '../../../support/rerankPage';

const text = 'a\nbbb\ncc\n';
const never = new AbortController().signal;

function rig(options: Partial<RigOptions> = {}) {
  const made = createRerankRig({ text, ...options });
  const copied: string[] = [];
  const progress: RerankProgress[] = [];
  let renewed = 0;
  const actions: TabActions = {
    chooseSource: async () => undefined,
    goTo: async () => undefined,
    reorder: async () => undefined,
    showScores: async () => undefined,
    refresh: async () => undefined,
    renewScores: async () => void (renewed += 1),
    copy: async (one) => void copied.push(one),
    act: async () => undefined,
  };
  const handlers = rerankHandlers(() => made.page, actions);
  const context = (signal = never) => ({ signal, emit: (one: RerankProgress) => void progress.push(one) });
  const form = made.page.record.form;
  return { ...made, handlers, context, copied, progress, form, renewed: () => renewed };
}
const idle = { signal: never, emit: () => undefined as never };

describe('requests of the rerank page', () => {
  it('return documents with their locations in the text', async () => {
    const { handlers } = rig();
    const { rows } = await handlers['rerank/documents']({ from: 1, count: 1 }, idle);
    assert.deepEqual(rows, [{ index: 1, text: 'bbb', place: 'notes.md:6', canOpen: true, isExcluded: false }]);
    const page = await handlers['rerank/ready']({}, idle);
    assert.deepEqual([page.source, page.by, page.count, page.canReorder], ['notes.md:1', 'lines', 3, true]);
    assert.equal((await handlers['rerank/whole']({ index: 2 }, idle)).text, 'cc');
    await assert.rejects(handlers['rerank/whole']({ index: 3 }, idle), /This document no longer exists/);
  });

  it('return the price of each model before, and the cost after', async () => {
    const asked: (readonly string[])[] = [];
    const prices: RigOptions['prices'] = {
      expect: (models, { tokens }) => {
        asked.push(models);
        return { tokens: tokens * 2, price: { text: `${models.join()} for ${tokens} tokens`, hint: 'list' } };
      },
      charged: ({ model, requests, inputTokens }) => ({ text: `${model} ${requests} ${inputTokens}`, hint: '' }),
    };
    const { handlers, context, form } = rig({ prices });
    const before = await handlers['rerank/ready']({}, idle);
    assert.equal(before.models[0]?.price?.text, 'm for 6 tokens');
    assert.ok(before.price);
    const both = await handlers['rerank/price']({ models: ['m', 'n'] }, idle);
    assert.ok(both.price);
    assert.deepEqual(asked.at(-1), ['m', 'n']);
    assert.deepEqual(await handlers['rerank/price']({ models: [] }, idle), {});
    const after = await handlers['rerank/run']({ form }, context());
    assert.ok(after.ranking?.facts.some(({ value }) => value === 'm 1 10'));
  });

  it('renew the scores next to the text after a ranking, but not without one', async () => {
    const { handlers, context, form, renewed } = rig();
    await assert.rejects(handlers['rerank/run']({ form: { ...form, query: '' } }, context()), /No query/);
    assert.equal(renewed(), 0);
    await handlers['rerank/run']({ form }, context());
    assert.equal(renewed(), 1);
  });

  it('save a ranking before they return it', async () => {
    const { handlers, context, saved, form, progress, requests } = rig();
    const page = await handlers['rerank/run']({ form }, context());
    assert.equal(page.ranking?.count, 3);
    assert.equal(saved.results.at(-1)?.rankings.lines?.slices.length, 1);
    assert.equal(saved.results.at(-1)?.rankings.lines?.failure, undefined);
    const { rows } = await handlers['rerank/rows']({ from: 0, count: 2 }, idle);
    assert.deepEqual(
      rows.map(({ rank, index, was, score, place }) => [rank, index, was, score, place]),
      [
        [1, 1, 2, '0.03', 'notes.md:6'],
        [2, 2, 3, '0.02', 'notes.md:7'],
      ],
    );
    assert.deepEqual(progress.at(-1)?.done, 3);
    assert.deepEqual(requests[0], { query: 'long', model: 'm', documents: ['a', 'bbb', 'cc'] });
    assert.deepEqual(page.history, ['long']);
    assert.deepEqual((await handlers['rerank/forgetQuery']({ query: 'long' }, idle)).history, []);
  });

  it('return substituted models and response IDs, without hidden characters', async () => {
    const ids = { model: 'other\u202e', requestId: 'r', traceId: 'ti_1' };
    const { handlers, context, form } = rig({ answer: async (sent) => ({ ...(await byLength(sent)), ...ids }) });
    const page = await handlers['rerank/run']({ form }, context());
    const names = ['Responding model', 'Response ID', 'Request ID', 'Trace ID'];
    const named = page.ranking?.facts.filter(({ name }) => names.includes(name));
    assert.deepEqual(
      named?.map(({ name, value }) => `${name}: ${value}`),
      ['Responding model: other', 'Response ID: answer', 'Request ID: r', 'Trace ID: ti_1'],
    );
    const same = rig({ answer: async (sent) => ({ ...(await byLength(sent)), model: 'm' }) });
    const { ranking } = await same.handlers['rerank/run']({ form }, same.context());
    assert.ok(!ranking?.facts.some(({ name }) => name === 'Responding model'));
  });

  it('rank equal scores the same, and explain why they are no order', async () => {
    const same = async ({ documents }: { readonly documents: readonly string[] }) => ({
      results: documents.map((document, index) => ({ index, relevance_score: 0.5, text: document })),
      tokens: {},
    });
    const { handlers, context, form } = rig({ answer: same });
    const { ranking } = await handlers['rerank/run']({ form }, context());
    assert.deepEqual(
      [ranking?.unranked, ranking?.notices.map(({ title, detail }) => [title, detail])],
      [
        "m didn't rank the documents",
        [
          [
            "m didn't rank the documents",
            'All scores are the same, so the ranking is meaningless. Use another reranker, or check this one.',
          ],
        ],
      ],
    );
    const { rows } = await handlers['rerank/rows']({ from: 1, count: 2 }, idle);
    assert.deepEqual(
      rows.map(({ rank, index }) => [rank, index]),
      [
        [1, 1],
        [1, 2],
      ],
    );
  });

  it('report that nothing was ranked if no document has a score', async () => {
    const none = async ({ documents }: { readonly documents: readonly string[] }) => ({
      results: documents.map((document, index) => ({ index, text: document })),
      tokens: {},
    });
    const { handlers, context, form } = rig({ answer: none });
    const { ranking } = await handlers['rerank/run']({ form }, context());
    assert.deepEqual(
      ranking?.notices.map(({ title, detail }) => [title, detail]),
      [["m didn't rank the documents", 'The response contains no scores. Use another reranker, or check this one.']],
    );
  });

  it('compare only models that ranked', async () => {
    const {
      handlers,
      context,
      form,
      page: ranked,
    } = rig({
      answer: async (request) =>
        request.model === 'same'
          ? { results: request.documents.map((_, index) => ({ index, relevance_score: 0, text: '' })), tokens: {} }
          : byLength(request),
    });
    await ranked.workspace.judgements.judge('long', 'bbb', true);
    const page = await handlers['rerank/compare']({ form, models: ['same', 'm'], k: 2 }, context());
    assert.deepEqual(
      page.comparison?.columns.map(({ model, ndcg, facts }) => [model, ndcg, facts.includes("didn't rank")]),
      [
        ['same', undefined, true],
        ['m', '1.000', false],
      ],
    );
    assert.equal(page.comparison?.judged, 1);
    const { rows } = await handlers['rerank/comparisonRows']({ from: 0, count: 3 }, idle);
    assert.deepEqual(
      rows.map(({ index, ranks }) => [index, ranks.map((one) => one?.rank)]),
      [
        [1, [undefined, 1]],
        [2, [undefined, 2]],
        [0, [undefined, 3]],
      ],
    );
  });

  it('return a ranking even if the disk is full, and report that', async () => {
    const { handlers, context, form } = rig({ keepResults: () => Promise.reject(new Error('ENOSPC')) });
    const page = await handlers['rerank/run']({ form }, context());
    assert.equal(page.ranking?.count, 3);
    assert.deepEqual(
      page.ranking.notices.map(({ title }) => title),
      ["Couldn't save this ranking"],
    );
  });

  it('continue without a page, and end when the user stops them', async () => {
    let answer: (() => void) | undefined;
    const {
      handlers,
      context,
      form,
      page: ranked,
    } = rig({
      answer: (request, signal) =>
        new Promise((resolve, reject) => {
          answer = () => void byLength(request).then(resolve);
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    const first = handlers['rerank/run']({ form }, context());
    await new Promise(setImmediate);
    assert.equal((await handlers['rerank/ready']({}, idle)).running?.what, 'ranking');
    await assert.rejects(handlers['rerank/run']({ form }, context()), /A ranking is already in progress/);
    const following = handlers['rerank/follow']({}, context());
    answer?.();
    assert.equal((await following).ranking?.count, 3);
    await first;
    assert.equal(ranked.isRunning, false);
    const stopping = new AbortController();
    const second = handlers['rerank/run']({ form }, context(stopping.signal));
    await new Promise(setImmediate);
    stopping.abort();
    await assert.rejects(second, { name: 'AbortError' });
    // What was there before is still there.
    assert.equal((await handlers['rerank/ready']({}, idle)).ranking?.count, 3);
  });

  it('mark a ranking as outdated once the query, the model, or the documents change', async () => {
    const { handlers, context, form, reported } = rig();
    await handlers['rerank/run']({ form }, context());
    const before = reported();
    await handlers['rerank/form']({ form: { ...form, query: 'other' } }, idle);
    assert.equal(reported(), before + 1);
    assert.equal((await handlers['rerank/ready']({}, idle)).ranking?.isStale, true);
    await handlers['rerank/form']({ form }, idle);
    assert.equal((await handlers['rerank/ready']({}, idle)).ranking?.isStale, false);
    assert.equal((await handlers['rerank/exclude']({ index: 0, isExcluded: true }, idle)).ranking?.isStale, true);
    // Another split has documents, and rankings, of its own.
    assert.equal((await handlers['rerank/split']({ by: 'whole' }, idle)).ranking, undefined);
    assert.equal((await handlers['rerank/split']({ by: 'lines' }, idle)).ranking?.count, 3);
  });

  it('send the selected columns of a table, and are outdated once these change', async () => {
    const { handlers, context, form, requests } = rig({
      text: 'id,title,text\n1,Long title,some long text\n2,Short,\n',
    });
    const sent = (count: number) => requests.slice(-count).map(({ documents }) => documents);
    const rows = async () => (await handlers['rerank/documents']({ from: 0, count: 9 }, idle)).rows;
    const split = await handlers['rerank/split']({ by: 'rows' }, idle);
    assert.deepEqual(
      split.columns?.map(({ name, isSent }) => [name, isSent]),
      [
        ['id', true],
        ['title', true],
        ['text', true],
      ],
    );
    await handlers['rerank/run']({ form }, context());
    assert.deepEqual(sent(1), [['id: 1\ntitle: Long title\ntext: some long text', 'id: 2\ntitle: Short']]);
    const chosen = await handlers['rerank/split']({ by: 'rows', columns: ['title'] }, idle);
    assert.deepEqual(
      chosen.columns?.map(({ isSent }) => isSent),
      [false, true, false],
    );
    assert.equal(chosen.ranking?.isStale, true);
    assert.deepEqual(
      (await rows()).map((one) => one.text),
      ['Long title', 'Short'],
    );
    const again = await handlers['rerank/run']({ form }, context());
    assert.deepEqual([sent(1), again.ranking?.isStale], [[['Long title', 'Short']], false]);
    // What was ranked by other columns doesn't count for these, and a row without them isn't sent.
    await handlers['rerank/split']({ by: 'rows', columns: ['text'] }, idle);
    await handlers['rerank/compare']({ form, models: ['m', 'n'], k: 1 }, context());
    assert.deepEqual(sent(2), [['some long text'], ['some long text']]);
    const [, blank] = await rows();
    assert.deepEqual(
      [blank?.isExcluded, blank?.problem],
      [true, "The chosen columns are blank, so this row isn't sent."],
    );
  });

  it('explain missing documents or a missing query', async () => {
    const { handlers, context, form, requests } = rig();
    await assert.rejects(handlers['rerank/run']({ form: { ...form, query: ' ' } }, context()), /No query/);
    await assert.rejects(handlers['rerank/run']({ form: { ...form, model: '' } }, context()), /No model selected/);
    await assert.rejects(
      handlers['rerank/run']({ form: { ...form, top_n: '1.5' } }, context()),
      /top_n must be a whole number/,
    );
    await assert.rejects(handlers['rerank/run']({ form, goOn: true }, context()), /No ranking yet/);
    await assert.rejects(
      handlers['rerank/compare']({ form, models: ['m', 'm'], k: 3 }, context()),
      /Too few models to compare/,
    );
    await handlers['rerank/excludeAll']({ isExcluded: true }, idle);
    await assert.rejects(handlers['rerank/run']({ form }, context()), /No documents to rank/);
    assert.equal(requests.length, 0);
  });

  it('return models side by side, with the ratings for that query', async () => {
    const { handlers, context, form, requests } = rig({
      answer: async (request) => {
        if (request.model === 'bad') throw new Error('refused');
        const ranking = await byLength(request);
        return request.model === 'n'
          ? { ...ranking, results: ranking.results.map((one) => ({ ...one, relevance_score: -one.relevance_score! })) }
          : ranking;
      },
    });
    await handlers['rerank/run']({ form }, context());
    await handlers['rerank/judge']({ index: 1, judgement: 'relevant' }, idle);
    const page = await handlers['rerank/compare']({ form, models: ['m', 'n', 'bad'], k: 2 }, context());
    assert.equal(requests.length, 3);
    assert.deepEqual(
      page.comparison?.columns.map(({ ndcg, mrr, error }) => [ndcg, mrr, error?.title]),
      [
        ['1.000', '1.000', undefined],
        ['0.000', '0.333', undefined],
        [undefined, undefined, 'Error: refused'],
      ],
    );
    const { rows } = await handlers['rerank/comparisonRows']({ from: 0, count: 5 }, idle);
    assert.deepEqual(
      rows.find(({ index }) => index === 1)?.ranks.map((rank) => rank?.rank),
      [1, 3, undefined],
    );
    const taken = await handlers['rerank/judge']({ index: 1, judgement: 'none', of: 'comparison' }, idle);
    assert.equal(taken.comparison?.judged, 0);
  });

  it('report the error of each model if all failed, also after a reload', async () => {
    const { handlers, context, form, saved } = rig({ answer: () => Promise.reject(new Error('refused')) });
    const page = await handlers['rerank/compare']({ form, models: ['m', 'n'], k: 2 }, context());
    const reported = page.comparison?.columns.map(({ error }) => error?.title);
    assert.deepEqual(reported, ['Error: refused', 'Error: refused']);
    assert.equal(saved.results.at(-1)?.comparisons.lines?.columns.length, 2);
  });

  it('keep the earlier comparison if a new one is stopped before any result', async () => {
    const stopping = new AbortController();
    let isStopped = false;
    const { handlers, context, form, saved } = rig({
      answer: (request) => {
        if (!isStopped) return byLength(request);
        stopping.abort();
        return Promise.reject(new Error('stopped'));
      },
    });
    await handlers['rerank/compare']({ form, models: ['m', 'n'], k: 2 }, context());
    isStopped = true;
    const other = { ...form, query: 'another' };
    await handlers['rerank/compare']({ form: other, models: ['m', 'n'], k: 2 }, context(stopping.signal));
    const { comparison } = await handlers['rerank/ready']({}, idle);
    assert.deepEqual([comparison?.columns.length, comparison?.columns.some(({ error }) => error)], [2, false]);
    assert.equal(saved.results.at(-1)?.comparisons.lines?.query, 'long');
  });

  it('copy the requested number, best first', async () => {
    const { handlers, context, form, copied } = rig();
    await handlers['rerank/run']({ form }, context());
    await handlers['rerank/copy']({ as: 'list', top: 2 }, idle);
    assert.deepEqual(copied, ['1. bbb\n2. cc\n']);
  });
});
