import assert from 'node:assert/strict';
import { look } from '../support/pageLooks';
import { rerankPages } from '../support/rerankPages';
import { rerankModels } from '../support/rerankHost';

describe('the appearance of the rerank page', () => {
  const open = rerankPages();
  type Opened = Awaited<ReturnType<typeof open>>;

  const seen = ({ page }: Opened, name: string) =>
    look(page, `rerank-${name}`, { except: '.comparison-frame, bdi', colours: ['ranking', 'compare'].includes(name) });

  it('shows a readable and reachable ranking', async () => {
    const one = await open();
    const { page, run, button, box, row } = one;
    await row(5).waitFor();
    await button(/^Options/).click();
    await seen(one, 'options');
    await page.keyboard.press('Escape');
    await run();
    await row(2).click();
    await page.locator('.details-text').waitFor();
    await seen(one, 'ranking');
    await box.fill('something else');
    await page.getByText('This ranking is out of date').waitFor();
    await button('Copy As…').click();
    await seen(one, 'stale-copy');
  });

  it('shows a readable and reachable comparison', async () => {
    const one = await open();
    const { page, tab, button, box, rows } = one;
    await box.fill('timeouts');
    await tab('Comparison').click();
    await button('Compare 3 Models').click();
    await page.getByText('Rated documents: 0.').waitFor();
    await rows.getByRole('button', { name: 'Mark as Relevant (R)', exact: true }).first().click();
    await page.getByText('Rated documents: 1.').waitFor();
    assert.equal(await box.inputValue(), 'timeouts');
    await seen(one, 'compare');
  });

  const wait = () => new Promise<never>(() => undefined);
  const error = {
    kind: 'rateLimit',
    title: 'The service takes no more requests for now',
    detail: 'The limit of tokens per minute is used up for this model. It is free again in 23 s.',
    actions: [
      { id: 'retry', label: 'Try Again' },
      { id: 'goOn', label: 'Go On' },
    ],
  };
  const long = 'a/very/long/folder/'.repeat(12);
  const states: readonly (readonly [name: string, show: () => Promise<Opened>])[] = [
    ['loading', () => open({ handlers: { 'rerank/ready': wait } })],
    ['no-source', () => open({ page: { source: '', count: 0, splits: [], facts: '' } })],
    [
      'reading',
      async () => {
        const one = await open({ handlers: { 'rerank/chooseSource': wait } });
        await one.button('Change Source').click();
        await one.page.getByRole('menuitem', { name: 'Open tabs' }).click();
        await one.page.getByText('Loading…').waitFor();
        return one;
      },
    ],
    ['empty', () => open({ texts: [] })],
    [
      'documents',
      async () => {
        const one = await open();
        await one.row(5).click();
        await one.details.waitFor();
        await one.page.keyboard.press(' ');
        return one;
      },
    ],
    [
      'history',
      async () => {
        const one = await open();
        await one.button('Recent Queries').click();
        return one;
      },
    ],
    [
      'keep',
      async () => {
        const one = await open();
        await one.run();
        await one.button('Keep Best…').click();
        return one;
      },
    ],
    [
      'compare-empty',
      async () => {
        const one = await open();
        await one.tab('Comparison').click();
        return one;
      },
    ],
    [
      'compare-unjudged',
      async () => {
        const one = await open();
        await one.box.fill('timeouts');
        await one.tab('Comparison').click();
        await one.button('Compare 3 Models').click();
        await one.page.getByText('Rated documents: 0.').waitFor();
        return one;
      },
    ],
    [
      'models-failed',
      async () => {
        const notOffered = {
          ...error,
          kind: 'notOffered',
          title: 'This service ranks no texts',
          detail: 'It answers 404.',
        };
        const one = await open({ page: { models: [], modelsError: notOffered } });
        await one.page.getByText('This service ranks no texts').waitFor();
        return one;
      },
    ],
    [
      'columns',
      async () => {
        const columns = ['id', 'title', 'description', long].map((name, at) => ({ name, isSent: at > 0 }));
        const one = await open({ page: { columns } });
        await one.button('Columns: 3 of 4').click();
        await one.page.getByRole('dialog', { name: 'Columns to send' }).waitFor();
        return one;
      },
    ],
    [
      'running',
      async () => {
        const one = await open({
          handlers: {
            'rerank/run': (_, { emit }) => {
              emit({ done: 3, total: 12, text: '3 of 12 requests' });
              return wait();
            },
          },
        });
        await one.box.fill('timeouts');
        await one.box.press('Enter');
        await one.page.getByText('3 of 12 requests').waitFor();
        return one;
      },
    ],
    [
      'failed',
      async () => {
        const one = await open({ handlers: { 'rerank/run': () => Promise.reject(error) } });
        await one.box.fill('timeouts');
        await one.box.press('Enter');
        await one.button('Go On').waitFor();
        return one;
      },
    ],
    [
      'long',
      async () => {
        const texts = Array.from({ length: 50_000 }, (_, index) => `${long}${index} ${'word '.repeat(index % 40)}`);
        const models = [{ id: `vendor/${'long-name-'.repeat(12)}`, notTaken: {} }, ...rerankModels];
        const one = await open({
          texts,
          score: (index) => 1 / (index + 1),
          place: (index) => `${long}notes.md:${index + 1}`,
          page: {
            source: `${long}notes.md, lines 1 to 90,000`,
            models,
            notices: [
              { tone: 'warning', title: 'Only one document', detail: 'There is nothing to order. Split the text.' },
              {
                tone: 'info',
                title: 'The file changed since it was read',
                actions: [{ id: 'again', label: 'Read Again' }],
              },
            ],
          },
        });
        await one.box.fill(`${'a long query that goes on '.repeat(20)}\nsecond line`);
        await one.box.press('Enter');
        await one.page.locator('.ranking-row').first().waitFor();
        await one.page.locator('#row-0').click();
        await one.details.waitFor();
        return one;
      },
    ],
  ];
  for (const [name, show] of states)
    it(`is readable: ${name}`, async () => {
      await seen(await show(), name);
    });
});
