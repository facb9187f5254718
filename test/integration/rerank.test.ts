import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { readDocument } from '../../src/features/rerank/sources/editorSource';
import type { RerankSource } from '../../src/features/rerank/logic/documents';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { openTab, typed } from '../support/rerankTab';
import type { RerankTabTest, TabTestOptions } from '../support/rerankTab';
import { until } from '../support/until';

const model = 'BAAI/bge-reranker-v2-m3';
const other = 'Qwen/Qwen3-Reranker-8B';
const query = 'growing tomatoes';
const lines = 'Cars and trains\nGrowing tomatoes in pots needs sun\nA recipe for tomato soup\nGrowing grass\n';
const noBudget = { soft: 0, hard: 0 };

describe('documents that are ranked', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  const made: RerankTabTest[] = [];
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'fast' });
    await signInAnew(services, 'ranking', demo);
    await services.models.refresh();
  });
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'rerank-'));
    await demo.call('POST', '/_control/reset', {});
  });
  afterEach(async () => {
    for (const tab of made.splice(0)) tab.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A choice may still be on its way to the folder.
    await rm(folder, { recursive: true, maxRetries: 10 });
  });
  after(async () => {
    await services.settings.set('chat.dailyTokenBudget', noBudget);
    await beginAnew(services);
    await demo.close();
  });

  const open = async (source: RerankSource | undefined, more: Partial<TabTestOptions> = {}) => {
    const tab = await openTab(source, { services, folder, ...more });
    made.push(tab);
    return tab;
  };
  const sourceOf = (text: string): RerankSource => ({
    kind: 'clipboard',
    title: 'Clipboard',
    texts: [{ text, name: 'Clipboard' }],
    remarks: [],
  });
  const shown = async (text: string) => {
    const file = path.join(folder, 'notes.txt');
    writeFileSync(file, text);
    return vscode.window.showTextDocument(vscode.Uri.file(file));
  };
  const many = (count: number) => Array.from({ length: count }, (_, at) => `line ${at} of tomatoes`).join('\n');
  const arm = (fault: string) => demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /rerank' });
  const requests = async () => {
    return (await demo.requests()).filter(({ path: to }) => to.endsWith('/rerank'));
  };
  const titled = (title: RegExp) => (error: unknown) => isUserError(error) && title.test(error.title);

  it('are sorted by score, with usage, and saved before they are shown', async () => {
    const { call, store, tab } = await open(sourceOf(lines));
    const page = await call('rerank/run', { form: typed({ query, model, top_n: '3' }) });
    equal(page.ranking?.count, 3);
    deepEqual(
      page.ranking.facts.map(({ name }) => name),
      ['Tokens', 'Time', 'Requests', 'Response ID', 'Trace ID', 'Ranked'],
    );
    const { rows } = await call('rerank/rows', { from: 0, count: 10 });
    deepEqual(
      rows.slice(0, 2).map(({ rank, index, was, text }) => [rank, index, was, text]),
      [
        [1, 1, 2, 'Growing tomatoes in pots needs sun'],
        [2, 3, 4, 'Growing grass'],
      ],
    );
    ok(rows[0]!.part > rows[1]!.part);
    deepEqual(page.history, [query]);
    match(page.ranking.notices[0]?.title ?? '', /without a score: 1/);
    const saved = await store.find(tab.page.record.id);
    equal(saved?.record.rankings.lines?.slices[0]?.scores.length, 3);
    const again = await open(undefined, { pageId: page.pageId });
    equal((await again.call('rerank/ready', {})).ranking?.count, 3);
    deepEqual(
      (await store.ranked()).map((page) => page.query),
      [query],
    );
  });

  it('are sent with the set parameters that the model supports', async () => {
    const { call } = await open(sourceOf(lines));
    const form = typed({ query, model: other, overlap_tokens: '20', instruction: 'Judge by plants.' });
    await call('rerank/run', { form });
    const [sent] = await requests();
    deepEqual(Object.keys(sent?.body ?? {}).toSorted(), ['documents', 'instruction', 'model', 'query']);
    const { issues } = await call('rerank/form', { form: { ...form, model, overlap_tokens: '81', top_n: 'x' } });
    match(issues.overlap_tokens ?? '', /can't be greater than 80/);
    match(issues.top_n ?? '', /whole number/);
    await rejects(call('rerank/run', { form: { ...form, model, top_n: '0' } }), titled(/Invalid value/));
    await rejects(call('rerank/run', { form: typed({ model }) }), titled(/No query/));
    await rejects(call('rerank/run', { form: typed({ query }) }), titled(/No model/));
    equal((await requests()).length, 1);
  });

  it('omit excluded documents', async () => {
    const { call } = await open(sourceOf(lines));
    await call('rerank/exclude', { index: 1, isExcluded: true });
    const page = await call('rerank/run', { form: typed({ query, model }) });
    equal(page.excluded, 1);
    const { rows } = await call('rerank/rows', { from: 0, count: 10 });
    ok(rows.every(({ index }) => index !== 1));
    const changed = await call('rerank/exclude', { index: 1, isExcluded: false });
    ok(changed.ranking?.isStale);
    await call('rerank/excludeAll', { isExcluded: true });
    await rejects(call('rerank/run', { form: typed({ query, model }) }), titled(/No documents to rank/));
  });

  for (const [fault, reported] of [
    ['foreign-index', /Results for documents that weren't sent: 1\./],
    ['repeated-index', /Duplicate results for a document: 1\./],
    ['no-score', /Results without a score: 1\./],
    ['word-for-score', /Results without a score: 1\./],
  ] as const) {
    it(`keep the valid part of a response with a ${fault}, and report the rest`, async () => {
      const { call } = await open(sourceOf(lines));
      await arm(fault);
      const page = await call('rerank/run', { form: typed({ query, model }) });
      equal(page.ranking?.count, 3);
      match(page.ranking.notices[0]?.detail ?? '', reported);
    });
  }

  it('are reported as not ranked if all scores are the same, with a model check', async () => {
    const { call } = await open(sourceOf(lines));
    await arm('same-scores');
    const { ranking } = await call('rerank/run', { form: typed({ query, model }) });
    const [notice] = ranking?.notices ?? [];
    equal(notice?.title, `${model} didn't rank the documents`);
    equal(ranking?.unranked, notice.title);
    match(notice.detail ?? '', /scores are the same/);
    deepEqual(notice.actions, [{ id: `checkModel:${model}`, label: 'Check Model…' }]);
    const { rows } = await call('rerank/rows', { from: 0, count: 10 });
    ok(rows.every(({ rank }) => rank === 1));
  });

  it('keep results from before a failed request, and continue with the rest', async () => {
    const { call, progress } = await open(sourceOf(many(1200)));
    await arm('parameter');
    const page = await call('rerank/run', { form: typed({ query: 'line 7', model }) });
    const [failed] = page.ranking?.notices ?? [];
    match(failed?.title ?? '', /^Documents not ranked: /);
    deepEqual(
      failed?.actions?.map(({ id }) => id.split(':')[0]),
      ['goOn', 'showExchange'],
    );
    const before = (await requests()).length;
    const whole = await call('rerank/run', { form: typed({ query: 'other', model }), goOn: true });
    equal(whole.ranking?.count, 1200);
    equal(whole.ranking.query, 'line 7');
    match(whole.ranking.notices[0]?.title ?? '', /Ranked in 3 requests/);
    equal((await requests()).length, before + 1);
    ok(progress.some(({ done, total }) => done > 0 && total === 1200));
  });

  it('stop immediately on request, with the results so far', async () => {
    const { call } = await open(sourceOf(lines));
    await arm('never-answers');
    const stopping = new AbortController();
    const running = call('rerank/run', { form: typed({ query, model }) }, stopping.signal);
    await until(() => (services.activity.running.length > 0 ? true : undefined), 'the work');
    stopping.abort();
    await rejects(running, { name: 'AbortError' });
    const page = await call('rerank/ready', {});
    equal(page.running, undefined);
    equal(page.ranking, undefined);
    equal(services.activity.running.length, 0);
  });

  it('ask first if there are many, and are rejected if there are too many', async () => {
    let asked = 0;
    const confirm = async () => {
      asked++;
      return false;
    };
    const { call } = await open(sourceOf(many(50_000)), { confirm });
    const page = await call('rerank/run', { form: typed({ query, model }) });
    equal(page.count, 50_000);
    equal(asked, 1);
    equal(page.ranking, undefined);
    match(page.notices[0]?.title ?? '', /Ranking 50,000 documents takes 100 requests/);
    const more = await open(sourceOf(many(50_001)));
    await rejects(more.call('rerank/run', { form: typed({ query, model }) }), titled(/Too many documents/));
    equal((await requests()).length, 0);
  });

  it('explain problems: one document, binary content, or too long for the model', async () => {
    const titles = async (text: string) => {
      const { call } = await open(sourceOf(text));
      return (await call('rerank/ready', {})).notices.map(({ title }) => title);
    };
    deepEqual(await titles('one'), ["There's only one document"]);
    deepEqual(await titles('a\0b'), ["Can't rank binary content"]);
    const { call } = await open(sourceOf(`${'word '.repeat(9000)}\nshort\n`));
    await call('rerank/form', { form: typed({ model: other }) });
    const page = await call('rerank/split', { by: 'lines' });
    match(page.notices[0]?.title ?? '', /1 document might be too long/);
    const { rows } = await call('rerank/documents', { from: 0, count: 2 });
    match(rows[0]?.problem ?? '', /might be truncated or rejected/);
    equal(rows[1]?.problem, undefined);
    await arm('context-overflow-1');
    await rejects(call('rerank/run', { form: typed({ query, model: other }) }), { name: 'ApiError', kind: 'tooLong' });
  });

  it("are compared between models by the user's ratings, with the reason for a failed model", async () => {
    const { call } = await open(sourceOf(lines));
    await call('rerank/run', { form: typed({ query, model }) });
    await call('rerank/judge', { index: 1, judgement: 'relevant' });
    await call('rerank/judge', { index: 0, judgement: 'notRelevant' });
    const before = (await requests()).length;
    const page = await call('rerank/compare', {
      form: typed({ query, model }),
      models: [model, other, 'fault/unknown-model'],
      k: 3,
    });
    // The ranking that was there is not paid again.
    equal((await requests()).length, before + 2);
    const { columns = [], judged } = page.comparison ?? {};
    equal(judged, 2);
    deepEqual(
      columns.map(({ ndcg, mrr, error }) => [ndcg, mrr, error?.kind]),
      [
        ['1.000', '1.000', undefined],
        ['1.000', '1.000', undefined],
        [undefined, undefined, 'unknownModel'],
      ],
    );
    const { rows } = await call('rerank/comparisonRows', { from: 0, count: 10 });
    equal(rows.length, 4);
    equal(rows[0]?.judgement, 'relevant');
    deepEqual(
      rows[0].ranks.map((rank) => rank?.rank),
      [1, 1, undefined],
    );
    match(readFileSync(path.join(folder, 'judgements.jsonl'), 'utf8'), /"relevant":false/);
  });

  it('send no request after the daily budget is used, and are counted', async () => {
    const { call } = await open(sourceOf(lines));
    await call('rerank/run', { form: typed({ query, model }) });
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    const before = (await requests()).length;
    await rejects(call('rerank/run', { form: typed({ query: 'another', model }) }), titled(/Daily token limit/));
    equal((await requests()).length, before);
    await services.settings.set('chat.dailyTokenBudget', noBudget);
  });

  it('are reordered after a diff as one undo step, which restores the previous ranking', async () => {
    const editor = await shown(lines);
    const { call, tab, gutter } = await open(readDocument(editor.document));
    await call('rerank/exclude', { index: 0, isExcluded: true });
    const { pageId } = await call('rerank/run', { form: typed({ query, model }) });
    await call('rerank/showScores', { isShown: true });
    equal(gutter.drawn(editor.document).length, 3);
    await call('rerank/reorder', {});
    equal(editor.document.getText(), lines);
    await services.replacements.apply(undefined);
    const ordered = editor.document.getText();
    deepEqual(ordered.split('\n').toSorted(), lines.split('\n').toSorted());
    match(ordered, /^Growing tomatoes/);
    await until(() => (tab.page.record.id === pageId ? undefined : true), 'the ranking of the new order');
    const page = await call('rerank/ready', {});
    equal(page.ranking?.isStale, false);
    equal(page.excluded, 1);
    const { rows } = await call('rerank/rows', { from: 0, count: 10 });
    deepEqual(
      rows.slice(0, 2).map(({ was }) => was),
      [1, 2],
    );
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    equal(editor.document.getText(), lines);
    await until(() => (tab.page.record.id === pageId ? true : undefined), 'the ranking of before');
    equal((await call('rerank/ready', {})).ranking?.isStale, false);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('can be reloaded after an edit, which is reported', async () => {
    const editor = await shown(lines);
    const { call, tab } = await open(readDocument(editor.document));
    await call('rerank/run', { form: typed({ query, model }) });
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'A new tomato\n'));
    await until(async () => ((await call('rerank/ready', {})).ranking?.isStale ? true : undefined), 'the change');
    const [notice] = (await call('rerank/ready', {})).notices;
    match(notice?.title ?? '', /has changed/);
    equal(notice?.actions?.[0]?.id, 'readAgain');
    await tab.readAgain();
    const page = await call('rerank/ready', {});
    equal(page.count, 5);
    equal(page.ranking, undefined);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('have a tab next to the text, which is reused until it has a ranking', async () => {
    const editor = await shown(lines);
    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('inferenceDesk.rerank'),
        );
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    await vscode.commands.executeCommand('inferenceDesk.rerank.selection');
    const [tab] = await until(() => (tabs().length === 1 ? tabs() : undefined), 'the tab');
    match(tab!.label, /^Rerank .*notes\.txt:1-2$/);
    await vscode.window.showTextDocument(editor.document, { viewColumn: vscode.ViewColumn.One });
    editor.selection = new vscode.Selection(1, 0, 4, 0);
    await vscode.commands.executeCommand('inferenceDesk.rerank.selection');
    await until(() => (tabs().some(({ label }) => label.endsWith(':2-4')) ? true : undefined), 'the other selection');
    equal(tabs().length, 1);
  });

  it('are copied as a list, a table, or JSON', async () => {
    const { call, copied } = await open(sourceOf(lines));
    await call('rerank/run', { form: typed({ query, model }) });
    await call('rerank/copy', { as: 'list', top: 2 });
    await call('rerank/copy', { as: 'markdownTable' });
    const { message } = await call('rerank/copy', { as: 'json' });
    equal(copied[0], '1. Growing tomatoes in pots needs sun\n2. Growing grass\n');
    match(copied[1] ?? '', /^\| Rank \| Score \|/);
    equal((JSON.parse(copied[2] ?? '') as { documents: unknown[] }).documents.length, 4);
    equal(message, 'Copied 4 documents.');
  });
});
