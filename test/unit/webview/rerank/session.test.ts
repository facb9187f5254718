import { deepEqual, equal } from 'node:assert/strict';
import { emptyForm } from '../../../../src/protocol/rerankForm';
import type { RerankForm, RerankScreen, RerankView } from '../../../../src/protocol/rerank';
import {
  isStale,
  notTakenBy,
  obstacleOf,
  optionsSet,
  RerankSession,
  toCount,
} from '../../../../webview/screens/rerank/session';
import type { Host } from '../../../../webview/host';
import { mergeForms } from '../../../../webview/screens/typedForm';
import { createRerankHost, rerankModels } from '../../../support/rerankHost';

const [bge, qwen] = rerankModels;
const form = (part: Partial<RerankForm> = {}): RerankForm => ({ ...emptyForm, query: 'q', model: bge.id, ...part });
const page = (part: Partial<RerankView> = {}): RerankView =>
  createRerankHost({ texts: ['a', 'b'], score: () => 0.5, page: part }).page();
const ranking = {
  count: 2,
  query: 'q',
  model: bge.id,
  facts: [],
  notices: [],
  isStale: false,
  isShownInEditor: false,
  canShowInEditor: true,
};

describe('typed values on the rerank page', () => {
  it('report what is missing, documents first', () => {
    equal(obstacleOf(form(), undefined), 'loading');
    equal(obstacleOf(form(), page()), undefined);
    equal(obstacleOf(form({ query: ' \n' }), page()), 'needsQuery');
    equal(obstacleOf(form({ model: ' ' }), page()), 'needsModel');
    equal(obstacleOf(form({ query: '', model: '' }), page({ count: 0 })), 'needsDocuments');
    equal(obstacleOf(form(), page({ excluded: 2 })), 'needsDocuments');
  });

  it("mark a ranking as outdated once the query, the model, or the host's data changed", () => {
    equal(isStale(form(), page()), false);
    equal(isStale(form({ query: ' q ' }), page({ ranking })), false);
    equal(isStale(form({ query: 'other' }), page({ ranking })), true);
    equal(isStale(form({ model: qwen.id }), page({ ranking })), true);
    equal(isStale(form(), page({ ranking: { ...ranking, isStale: true } })), true);
  });

  it('count the options that are set and supported by the model', () => {
    const all = form({ top_n: '3', overlap_tokens: '80', instruction: 'Judge.', return_documents: true });
    equal(optionsSet(all, page()), 3);
    equal(optionsSet({ ...all, model: qwen.id }, page()), 3);
    equal(optionsSet({ ...all, model: 'a model of another list' }, page()), 4);
    equal(optionsSet(form(), page()), 0);
    deepEqual(Object.keys(notTakenBy(form({ model: qwen.id }), page())), ['max_chunks_per_doc', 'overlap_tokens']);
  });

  it('include changes of the host, but not over later changes of the user', () => {
    const base = form({ query: '', model: '' });
    const host = { ...base, model: bge.id };
    const typed = { ...base, query: 'typed' };
    deepEqual(mergeForms(base, host, typed), { ...typed, model: bge.id });
    equal(mergeForms(base, host, { ...typed, model: qwen.id }).model, qwen.id);
    equal(mergeForms(base, base, typed), typed);
    deepEqual(mergeForms(typed, { ...base, query: 'older' }, { ...typed, top_n: '1' }).top_n, '1');
  });

  it('accept only whole numbers within the bounds as a count', () => {
    deepEqual(
      ['1', ' 10 ', '0', '11', '1.5', '-1', '', 'x', '1e1', '9999999999', '٣'].map((text) => toCount(text, 10)),
      [1, 10, ...Array.from({ length: 9 }, () => undefined)],
    );
  });
});

describe('the columns of a table on the rerank page', () => {
  it('stay as they were selected last while the host answers about an earlier selection', async () => {
    const withColumns = (sent: string) =>
      page({ columns: ['id', 'title', 'text'].map((name) => ({ name, isSent: sent.includes(name) })) });
    const answers: ((view: RerankView) => void)[] = [];
    const host = {
      call: () => new Promise((resolve) => answers.push(resolve as (view: RerankView) => void)),
      load: () => undefined,
      save: () => undefined,
    } as Partial<Host<RerankScreen>> as Host<RerankScreen>;
    const session = new RerankSession(host, () => undefined);
    const sent = () => session.page.peek()?.columns?.flatMap(({ name, isSent }) => (isSent ? [name] : []));
    session.show(withColumns('id, title, text'));
    const first = session.split('rows', ['title', 'text']);
    const second = session.split('rows', ['title']);
    answers[0]!(withColumns('title, text'));
    await first;
    deepEqual(sent(), ['title']);
    answers[1]!(withColumns('title'));
    await second;
    session.show(withColumns('id'));
    deepEqual(sent(), ['id']);
  });
});
