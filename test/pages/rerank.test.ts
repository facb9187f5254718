import assert from 'node:assert/strict';
import { emptyForm } from '../../src/protocol/rerankForm';
import type { RerankView } from '../../src/protocol/rerank';
import { rerankModels } from '../support/rerankHost';
import { rerankPages, rerankQuery, rerankTexts } from '../support/rerankPages';
import { until } from '../support/until';

describe('the rerank page', () => {
  const open = rerankPages();
  const [bge, qwen] = rerankModels;

  it('shows the split documents, and excludes some by keyboard and mouse', async () => {
    const { page, grid, row, cell, ours, rows, details } = await open();
    await row(5).getByRole('checkbox').waitFor();
    assert.equal(await rows.count(), 6);
    assert.equal(await cell(0, 'document'), rerankTexts[0]);
    assert.equal(await cell(2, 'place'), 'notes.md:3');
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await details.getByText(rerankTexts[1]!).waitFor();
    await page.keyboard.press(' ');
    await page.getByText('Excluded: 1').waitFor();
    await row(3).getByRole('checkbox', { name: 'Send document 4' }).click();
    await page.getByText('Excluded: 2').waitFor();
    const all = page.getByRole('checkbox', { name: 'Send all' });
    assert.equal(await all.evaluate((box: HTMLInputElement) => box.indeterminate), true);
    await all.click();
    await page.getByText('Excluded: 2').waitFor({ state: 'detached' });
    await all.click();
    await page.getByText('Excluded: 6').waitFor();
    await page.getByText('No documents to send.').waitFor();
    assert.equal(ours.page().excluded, 6);
  });

  it('reranks on Enter, shows score, rank, and original position, and announces the best', async () => {
    const { page, box, cell, asks, tab, spoken, row } = await open();
    await row(5).waitFor();
    await box.fill(rerankQuery);
    await box.press('Enter');
    await row(5).locator('.score-number').waitFor();
    assert.equal(((await asks('run')) as { readonly query: string }).query, rerankQuery);
    assert.equal(await tab('Ranking').getAttribute('aria-selected'), 'true');
    const shown = await Promise.all(['rank', 'score', 'document', 'was'].map((name) => cell(0, name)));
    assert.deepEqual(shown, ['1', '0.982', rerankTexts[2], '3']);
    const widths = await page.locator('.score-bar').evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
    assert.deepEqual(
      widths,
      widths.toSorted((a, b) => b - a),
    );
    assert.ok(widths[0]! > 5 * widths[3]!, widths.join(' '));
    await spoken('Ranked documents: 6. Best: Timeouts are told apart');
    await page.getByText('3,092').waitFor();
  });

  it('says that a model did not rank instead of naming a best document', async () => {
    const title = "m didn't rank the documents";
    const ranking: NonNullable<RerankView['ranking']> = {
      count: 2,
      query: rerankQuery,
      model: 'm',
      facts: [],
      notices: [{ tone: 'warning', title, detail: 'All documents have the same score.' }],
      unranked: title,
      isStale: false,
      isShownInEditor: false,
      canShowInEditor: true,
    };
    const opened = await open({
      handlers: { 'rerank/run': async ({ form }) => ({ ...opened.ours.page(), form, ranking }) },
    });
    const { page, box, spoken } = opened;
    await box.fill(rerankQuery);
    await box.press('Enter');
    await page.getByText('All documents have the same score.').waitFor();
    await spoken(title);
  });

  it('shows its progress, and stops with Escape without an error', async () => {
    let wasEnded = false;
    const { page, box, button, spoken, ours } = await open({
      handlers: {
        'rerank/run': (_, { emit, signal }) => {
          emit({ done: 3, total: 12, text: '3 of 12 requests' });
          return new Promise((_done, fail) =>
            signal.addEventListener('abort', () => {
              wasEnded = true;
              fail({ kind: 'cancelled', title: 'Canceled', detail: '', actions: [] });
            }),
          );
        },
      },
    });
    await box.fill(rerankQuery);
    await button('Rerank').click();
    const progress = page.getByRole('progressbar', { name: '3 of 12 requests' });
    await progress.waitFor();
    assert.equal(await progress.evaluate((bar: HTMLProgressElement) => bar.value / bar.max), 0.25);
    assert.equal(await button('Rerank').count(), 0);
    await box.press('Escape');
    await button('Rerank').waitFor();
    await until(() => wasEnded || undefined, 'the host is told to end it');
    await spoken('Stopped.');
    assert.equal(await page.locator('.note').count(), 0);
    assert.equal(ours.asked.filter(([method]) => method === 'run').length, 0);
  });

  it('shows a ranking that continued while hidden, and stops it', async () => {
    const running = { what: 'ranking', done: 1, total: 4, text: '1 of 4 requests' } as const;
    const followed: AbortSignal[] = [];
    const { page, button } = await open({
      page: { running },
      handlers: {
        'rerank/follow': (_, { emit, signal }) => {
          followed.push(signal);
          emit({ ...running, done: 2, text: '2 of 4 requests' });
          return new Promise(() => undefined);
        },
      },
    });
    await page.getByText('2 of 4 requests').waitFor();
    await button('Stop').click();
    await until(() => followed[0]?.aborted || undefined, 'what is followed is ended');
    assert.equal(followed.length, 1);
  });

  it('shows the error with actions, and ranks the remaining documents', async () => {
    const actions = [
      { id: 'signIn', label: 'Sign In' },
      { id: 'goOn', label: 'Go On' },
    ];
    const runs: (boolean | undefined)[] = [];
    const { page, box, button, asks, spoken } = await open({
      handlers: {
        'rerank/run': ({ goOn }) => {
          runs.push(goOn);
          return Promise.reject({ kind: 'auth', title: 'The key was refused', detail: 'Sign in again.', actions });
        },
      },
    });
    await box.fill(rerankQuery);
    await box.press('Enter');
    await page.locator('.note-error', { hasText: 'Sign in again.' }).waitFor();
    await spoken('The key was refused. Sign in again.');
    await button('Go On').click();
    await until(() => runs[1], 'it goes on');
    await button('Sign In').click();
    await asks('act', { action: 'signIn' });
    assert.deepEqual(runs, [undefined, true]);
    assert.equal(await box.inputValue(), rerankQuery);
  });

  it('offers the fixes for a model error: another model, a listed one, or a retry', async () => {
    const actions = ['retry', 'useModel:other/model', 'chooseModel'].map((id) => ({ id, label: id }));
    const models: string[] = [];
    const { page, box, button, ours } = await open({
      handlers: {
        'rerank/run': ({ form }) => {
          models.push(form.model);
          return Promise.reject({ kind: 'unknownModel', title: 'The model is not there', detail: '', actions });
        },
      },
    });
    await box.fill(rerankQuery);
    await box.press('Enter');
    await button('useModel:other/model').click();
    const model = page.getByRole('combobox', { name: 'Model' });
    await until(async () => ((await model.inputValue()) === 'other/model' ? true : undefined), 'the other model');
    await button('retry').click();
    await until(() => models[1], 'it is tried again');
    await button('chooseModel').click();
    await until(
      async () => ((await model.evaluate((one) => one === document.activeElement)) ? true : undefined),
      'the focus is where the model is chosen',
    );
    assert.deepEqual(models, [bge.id, 'other/model']);
    assert.equal(ours.asked.filter(([method]) => method === 'act').length, 0);
  });

  it("selects the host's model, and stays on the form if a question is declined", async () => {
    const { page, box, host, ours, tab, run, button } = await open({
      page: { models: [], modelsAreLoading: true, form: { ...emptyForm, model: '' } },
    });
    await box.fill(rerankQuery);
    await page.getByText('Select a model.').waitFor();
    const before = ours.page();
    const form = { ...before.form, model: qwen.id };
    host.tell('rerank/changed', { ...before, models: rerankModels, modelsAreLoading: false, form });
    await page.getByText('Select a model.').waitFor({ state: 'detached' });
    const model = page.getByRole('combobox', { name: 'Model' });
    assert.equal(await model.inputValue(), qwen.id);
    assert.equal(await box.inputValue(), rerankQuery);
    await model.fill('nobody/knows');
    await page.getByText('No matches.').waitFor();
    await model.fill(qwen.id);
    await run();
    await tab('Documents').click();
    await button('Rerank').click();
    await until(
      () => (ours.asked.filter(([method]) => method === 'run').length === 2 ? true : undefined),
      'it was asked again',
    );
    // It gave way to Stop before the host was asked, and is back once the host has answered.
    await button('Rerank').waitFor();
    assert.equal(await tab('Documents').getAttribute('aria-selected'), 'true');
  });

  it('keeps text typed before the page has loaded', async () => {
    let answer: (() => void) | undefined;
    const { box, asks, row, ours } = await open({
      handlers: { 'rerank/ready': () => new Promise((done) => (answer = () => done(ours.page()))) },
    });
    await box.fill(rerankQuery);
    (await until(() => answer, 'the question for what there is'))();
    await row(0).waitFor();
    assert.equal(await box.inputValue(), rerankQuery);
    await asks('form', { ...ours.page().form, query: rerankQuery });
    assert.equal(ours.page().form.model, bge.id);
  });

  it('waits until it has loaded before it reranks, and announces that', async () => {
    let answer: (() => void) | undefined;
    const { page, box, row, ours, asks } = await open({
      handlers: { 'rerank/ready': () => new Promise((done) => (answer = () => done(ours.page()))) },
    });
    await box.fill(rerankQuery);
    await box.press('Enter');
    await page.locator('#run-about').getByText('Loading…').waitFor();
    (await until(() => answer, 'the question for what there is'))();
    await row(0).waitFor();
    await page.locator('#run-about').getByText('Loading…').waitFor({ state: 'detached' });
    assert.equal(
      ours.asked.some(([method]) => method === 'run'),
      false,
    );
    await box.press('Enter');
    await asks('run');
  });

  it('marks an outdated ranking, and keeps it', async () => {
    const { page, run, box, row, host, ours } = await open();
    await run();
    const stale = page.getByText('This ranking is out of date');
    assert.equal(await stale.count(), 0);
    await box.fill('something else');
    await stale.waitFor();
    await row(0).getByText('0.982').waitFor();
    await box.fill(rerankQuery);
    await stale.waitFor({ state: 'detached' });
    const before = ours.page();
    host.tell('rerank/changed', { ...before, ranking: { ...before.ranking!, isStale: true } });
    await stale.waitFor();
    assert.equal(await box.inputValue(), rerankQuery);
  });

  it('rates documents by keyboard and mouse, and undoes a rating', async () => {
    const { page, run, grid, row, asks, details } = await open();
    await run();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('r');
    const relevant = row(0).getByRole('button', { name: 'Mark as Relevant (R)', exact: true });
    await page.locator('#row-0 .judge-relevant[aria-pressed=true]').waitFor();
    await asks('judge', { index: 2, judgement: 'relevant', of: 'ranking' });
    await page.keyboard.press('n');
    await page.locator('#row-0 .judge-notRelevant[aria-pressed=true]').waitFor();
    assert.equal(await relevant.getAttribute('aria-pressed'), 'false');
    await details.getByRole('button', { name: 'Mark as Not Relevant (N)' }).click();
    await page.locator('#row-0 .judge-notRelevant[aria-pressed=false]').waitFor();
    await asks('judge', { index: 2, judgement: 'none', of: 'ranking' });
  });

  it('shows a complete document, opens its source, and restores the position after a reload', async () => {
    const { page, run, row, details, asks, box, tab, grid } = await open();
    await run();
    await row(5).click();
    const text = details.locator('.details-text');
    await until(async () => ((await text.textContent()) === rerankTexts[5] ? true : undefined), 'the whole text');
    await page.reload();
    await details.getByRole('heading', { name: 'Document 6' }).waitFor();
    assert.equal(await tab('Ranking').getAttribute('aria-selected'), 'true');
    await row(5).and(page.locator('[aria-selected=true]')).waitFor();
    assert.equal(await box.inputValue(), rerankQuery);
    await details.getByRole('button', { name: 'Go to Source (Enter)' }).click();
    await asks('goTo', { index: 5 });
    await details.getByRole('button', { name: 'Close (Escape)' }).click();
    await details.waitFor({ state: 'detached' });
    await until(() => grid.evaluate((table) => table === document.activeElement || undefined), 'the focus');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await until(async () => ((await asks('goTo')) as { index: number }).index === 2 || undefined, 'the first is shown');
  });

  it('applies the order to the text, keeps the best, copies, and shows scores in the editor', async () => {
    const { page, run, button, asks, option, host, ours } = await open();
    await run();
    await button('Reorder…').click();
    await asks('reorder', {});
    await button('Keep Best…').click();
    await option(/^Number of/).fill('7');
    await page.getByText('Enter a whole number up to 6.').waitFor();
    await option(/^Number of/).fill('2');
    await option(/^Number of/).press('Enter');
    await until(async () => ((await asks('reorder')) as { keep?: number }).keep === 2 || undefined, 'two are kept');
    await button('Copy As…').click();
    await page.locator('.rerank-copy:focus').waitFor();
    await page.keyboard.press('Enter');
    await asks('copy', { as: 'list' });
    await page.getByText('Copied.').first().waitFor();
    await button('Copy As…').click();
    await option(/^Number of/).fill('3');
    await button('Markdown Table').click();
    await until(async () => ((await asks('copy')) as { top?: number }).top === 3 || undefined, 'three are copied');
    const scores = button('Show Scores in Editor');
    await scores.click();
    await page.locator('.bar-scores[aria-pressed=true]').waitFor();
    const before = ours.page();
    host.tell('rerank/changed', {
      ...before,
      canReorder: false,
      ranking: { ...before.ranking!, canShowInEditor: false },
    });
    await scores.waitFor({ state: 'detached' });
    assert.equal(await button('Reorder…').count(), 0);
  });

  it('recalls earlier queries with the arrow keys and from a list, where they can be removed', async () => {
    const { page, box, button, ours } = await open();
    await box.fill('typed');
    await box.press('Home');
    await box.press('ArrowUp');
    const [newest, middle, oldest] = ours.page().history;
    assert.equal(await box.inputValue(), newest);
    await box.press('ArrowUp');
    assert.equal(await box.inputValue(), middle);
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    assert.equal(await box.inputValue(), 'typed');
    await button('Recent Queries').click();
    await page.locator('.rerank-earlier:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await page.getByText(middle!).waitFor({ state: 'detached' });
    assert.deepEqual(ours.page().history, [newest, oldest]);
    await button(oldest!).click();
    assert.equal(await box.inputValue(), oldest);
    await until(() => box.evaluate((one) => one === document.activeElement || undefined), 'the focus');
  });

  it('sends no request during a composition, without a query, or twice', async () => {
    const ran: string[] = [];
    const { page, box, button } = await open({
      handlers: {
        'rerank/run': ({ form }) => {
          ran.push(form.query);
          return new Promise(() => undefined);
        },
      },
    });
    await page.getByRole('button', { name: 'Rerank', exact: true, disabled: true }).waitFor();
    await box.press('Enter');
    await box.fill('超时');
    await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    await box.press('Shift+Enter');
    assert.equal(await box.inputValue(), '超时\n');
    await box.press('Enter');
    await button('Stop').waitFor();
    await box.press('Enter');
    await box.fill('other');
    await box.press('Enter');
    await until(() => ran[0], 'it runs');
    assert.deepEqual(ran, ['超时\n']);
  });

  it('sends the options that the model supports, and explains the others', async () => {
    const { page, button, option, box, asks } = await open();
    await button('Options').click();
    await option(/top_n/).fill('many');
    await page.getByText('A whole number from 1.').waitFor();
    assert.equal(await option(/top_n/).getAttribute('aria-invalid'), 'true');
    await button(/^Options: 1 set\. An option is invalid/).waitFor();
    await option(/top_n/).fill('2');
    await page.getByText('A whole number from 1.').waitFor({ state: 'detached' });
    assert.equal(await option(/\(instruction\)/).isDisabled(), true);
    await page.getByText('This model takes no instruction.').waitFor();
    await page.getByRole('checkbox', { name: /return_documents/ }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Model' }).fill(qwen.id);
    await button(/^Options: 2 set/).click();
    assert.equal(await option(/\(instruction\)/).isDisabled(), false);
    assert.equal(await option(/overlap_tokens/).isDisabled(), true);
    await page.keyboard.press('Escape');
    await box.fill(rerankQuery);
    await box.press('Enter');
    const sent = (await asks('run')) as Record<string, unknown>;
    assert.deepEqual([sent['top_n'], sent['return_documents'], sent['model']], ['2', true, qwen.id]);
  });

  it('changes the split, and asks for a source if none is selected', async () => {
    const { page, asks } = await open();
    await page.getByRole('combobox', { name: 'Split into' }).selectOption({ label: 'Lines (6)' });
    await asks('split', { by: 'lines' });
    const empty = await open({ page: { source: '', count: 0, splits: [] } });
    const sources = empty.page.getByRole('listitem').getByRole('button');
    await sources.nth(6).waitFor();
    assert.equal(await sources.count(), 7);
    assert.equal(await empty.button('Rerank').count(), 0);
    await sources.filter({ hasText: 'Clipboard' }).click();
    await empty.asks('chooseSource', { kind: 'clipboard' });
    await empty.button('Rerank').waitFor();
  });

  it('selects the columns of a table by keyboard and pointer, and keeps at least one', async () => {
    const columns = ['id', 'title', 'text'].map((name) => ({ name, isSent: name !== 'text' }));
    const { page, asks, button } = await open({ page: { columns } });
    await button('Columns: 2 of 3').click();
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await page.keyboard.press('Space');
    await asks('split', { by: 'paragraphs', columns: ['title'] });
    await button('Columns: 1 of 3').waitFor();
    assert.deepEqual([await box('id').isChecked(), await box('title').isDisabled()], [false, true]);
    await box('text').click();
    await asks('split', { by: 'paragraphs', columns: ['title', 'text'] });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await button('Columns: 2 of 3').evaluate((one) => one === document.activeElement), true);
    const plain = await open();
    await plain.button('Rerank').waitFor();
    assert.equal(await plain.button(/^Columns/).count(), 0);
  });

  it('keeps each of several columns that are selected at once', async () => {
    const columns = ['id', 'title', 'text'].map((name) => ({ name, isSent: true }));
    const { page, asks, button } = await open({ page: { columns } });
    await button('Columns: 3 of 3').click();
    await page.getByRole('checkbox', { name: 'id' }).waitFor();
    await page.evaluate(() => {
      for (const box of [...document.querySelectorAll<HTMLElement>('input[type=checkbox]')].filter((one) =>
        ['id', 'text'].includes(one.closest('label')?.textContent?.trim() ?? ''),
      ))
        box.click();
    });
    await asks('split', { by: 'paragraphs', columns: ['title'] });
  });

  it('keeps the query when another source is selected, and cancels a slow source', async () => {
    const reads: AbortSignal[] = [];
    const { page, button, box, host, ours } = await open({
      handlers: {
        'rerank/chooseSource': (_, { signal }) => {
          reads.push(signal);
          return new Promise(() => undefined);
        },
      },
    });
    await box.fill(rerankQuery);
    await button('Change Source').click();
    await page.getByRole('menuitem', { name: 'Problems' }).click();
    await page.getByText('Loading…').waitFor();
    await button('Stop').click();
    await until(() => reads[0]?.aborted || undefined, 'the reading ends');
    const other: RerankView = { ...ours.page(), pageId: 'page 2', source: 'other.md' };
    host.tell('rerank/changed', other);
    await page.getByText('other.md').waitFor();
    assert.equal(await box.inputValue(), rerankQuery);
    await page.locator('#tab-documents[aria-selected=true]').waitFor();
  });

  it('accepts an unlisted model, and shows an error of the model list', async () => {
    const actions = [{ id: 'again', label: 'Try Again' }];
    const modelsError = { kind: 'network', title: 'The models could not be read', detail: 'No connection.', actions };
    const { page, button, asks, run } = await open({ page: { models: [], modelsError } });
    await page.locator('.note-error', { hasText: 'No connection.' }).waitFor();
    await button('Try Again').click();
    await asks('act', { action: 'again' });
    await page.getByRole('combobox', { name: 'Model' }).fill('my/reranker');
    await page.keyboard.press('Escape');
    await run();
    assert.equal(((await asks('run')) as { readonly model: string }).model, 'my/reranker');
  });

  it("explains that the service doesn't rerank, and sends no request", async () => {
    const modelsError = {
      kind: 'notOffered',
      title: "This service doesn't support reranking",
      detail: '',
      actions: [],
    };
    const { page, box, ours } = await open({ page: { models: [], modelsError } });
    await page.locator('.note-info', { hasText: "This service doesn't support reranking" }).waitFor();
    await box.fill(rerankQuery);
    await box.press('Enter');
    await page.locator('vscode-button[disabled]', { hasText: 'Rerank' }).waitFor();
    assert.equal(ours.asked.filter(([method]) => method === 'run').length, 0);
  });

  it("says once that the service doesn't rerank after a request finds that out", async () => {
    const modelsError = {
      kind: 'notOffered',
      title: "This service doesn't support reranking",
      detail: '',
      actions: [],
    };
    const { page, box, button, host, ours } = await open({
      handlers: { 'rerank/run': () => Promise.reject(modelsError) },
    });
    await box.fill(rerankQuery);
    await button('Rerank').click();
    await page.locator('.note-error', { hasText: modelsError.title }).waitFor();
    host.tell('rerank/changed', { ...ours.page(), models: [], modelsError });
    await page.locator('vscode-button[disabled]', { hasText: 'Rerank' }).waitFor();
    assert.equal(await page.locator('.note').count(), 1);
  });

  it('compares models by rank, by nDCG and MRR after ratings, and explains a failed one', async () => {
    const one = await open();
    const { page, box, tab, button, asks, rows, row, host, ours, grid } = one;
    await row(5).waitFor();
    await box.fill(rerankQuery);
    await tab('Comparison').click();
    await page.getByRole('checkbox', { name: 'netease-youdao/bce-reranker-base_v1' }).uncheck();
    await page.getByRole('checkbox', { name: qwen.id }).uncheck();
    await page.getByText('Select at least two models.').waitFor();
    await page.getByRole('button', { name: 'Compare 1 Models', exact: true, disabled: true }).waitFor();
    await page.getByRole('checkbox', { name: qwen.id }).check();
    await page.getByText('Price: about $0.02').waitFor();
    await page.getByRole('textbox', { name: 'Top results to evaluate (k)' }).fill('3');
    await button('Compare 2 Models').click();
    await rows.first().waitFor();
    await asks('compare', { models: [bge.id, qwen.id], k: 3 });
    await page.getByText('For nDCG and MRR').waitFor();
    assert.deepEqual(await row(0).locator('.comparison-rank').allTextContents(), ['1', '6']);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('r');
    await page.getByText('Rated documents: 1.').waitFor();
    await asks('judge', { index: 2, judgement: 'relevant', of: 'comparison' });
    const table = page.getByRole('table');
    assert.match((await table.getByRole('row').nth(1).textContent()) ?? '', /bge-reranker.*0\.9821\.000$/);
    const before = ours.page();
    const [first, second] = before.comparison!.columns;
    const error = { kind: 'unknownModel', title: 'The model is not there', detail: '', actions: [] };
    host.tell('rerank/changed', {
      ...before,
      comparison: { ...before.comparison!, columns: [first!, { model: second!.model, facts: '', error }] },
    });
    await table.getByText('The model is not there').waitFor();
  });

  it('scrolls through 50,000 documents by keyboard, and loads only visible ones', async () => {
    const fetched: number[] = [];
    const texts = Array.from({ length: 50_000 }, (_, index) => `line ${index + 1}`);
    const { page, grid, row, details, rows } = await open({
      texts,
      handlers: {
        'rerank/documents': async ({ from, count }) => {
          fetched.push(from);
          return {
            rows: texts.slice(from, from + count).map((text, offset) => ({
              index: from + offset,
              text,
              place: '',
              canOpen: false,
              isExcluded: false,
            })),
          };
        },
      },
    });
    await row(0).waitFor();
    await grid.focus();
    await page.keyboard.press('End');
    await details.getByText('line 50000', { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await details.getByText('line 1', { exact: true }).waitFor();
    assert.ok(fetched.length < 8, fetched.join(' '));
    assert.ok((await rows.count()) < 60);
  });

  it('shows hostile text as text, each in its own direction', async () => {
    const attack = '<img src="https://evil.example/a.png" onerror="document.title=1"><script>document.title=1</script>';
    const { page, row, details } = await open({
      texts: [attack, rerankTexts[3]!],
      page: { source: attack, history: [attack], facts: '<b>facts</b>' },
      place: () => attack,
    });
    await row(0).click();
    await details.getByText(attack).first().waitFor();
    assert.equal(await page.locator('main :is(img, script, b)').count(), 0);
    await row(1).click();
    await details.getByText(rerankTexts[3]!).waitFor();
    assert.equal(await details.locator('.details-text').evaluate((text) => getComputedStyle(text).direction), 'rtl');
  });
});
