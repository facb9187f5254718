import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CallContext } from '../../src/protocol/call';
import type { Answer, AnswerChunk, ChatSnapshot } from '../../src/protocol/chat';
import type { ComparedAnswer } from '../../src/protocol/chatCompare';
import type { WireError } from '../../src/protocol/wire';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { comparedTurn } from '../support/compareHost';
import { look } from '../support/pageLooks';
import { takePicture } from '../support/takePicture';
import { until } from '../support/until';

const models = ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'zai-org/GLM-4.6', 'deepseek-ai/DeepSeek-V3.2'] as const;
const names = 'Qwen3-Coder-30B-A3B-Instruct, GLM-4.6, DeepSeek-V3.2';
const question = 'Why is the second loop slower?';
const words = `It **allocates** a string per byte. Compare the two:

\`\`\`ts
for (const byte of chunk) if (byte === 0x0a) lines++; // a line that is too long for a column
\`\`\`

- no slice, no decode
- one comparison per byte`;

const column = (index: number, answer: Partial<Answer>, more: Partial<ComparedAnswer> = {}): ComparedAnswer => ({
  tryId: `a${index}`,
  answer: {
    state: 'done',
    model: models[index] ?? 'vendor/model',
    blocks: [{ kind: 'text', text: words }],
    stopReason: 'end_turn',
    usage: { inputTokens: 1310, outputTokens: 214 },
    firstTokenMs: 400 + 100 * index,
    totalMs: 4000 - 500 * index,
    exchangeId: `e${index}`,
    ...answer,
  },
  ...more,
});
const failure = {
  kind: 'overloaded',
  title: 'The service is overloaded',
  detail: 'It answers again in a moment.',
  actions: [
    { id: 'retry', label: 'Try Again' },
    { id: 'chooseModel', label: 'Choose Another Model' },
  ],
};
const compared = (columns: readonly ComparedAnswer[], changes: Partial<ChatSnapshot> = {}) =>
  emptySnapshot({
    turns: [turn('Hello', { blocks: [{ kind: 'text', text: 'Hello.' }] }), comparedTurn(question, columns, 'q')],
    comparing: { models, on: true },
    ...changes,
  });
const all = compared([
  column(0, {}, { leftOut: ['temperature', 'top_k'] }),
  column(1, {}),
  column(2, {}, { picked: true }),
]);
const mixed = compared([
  column(0, { state: 'streaming', blocks: [{ kind: 'text', text: 'It **alloc' }] }),
  column(1, { state: 'failed', blocks: [], error: failure }),
  column(2, { state: 'waiting', blocks: [] }),
  {
    ...column(3, {
      state: 'waiting',
      blocks: [],
      model: 'moonshotai/Kimi-K2-Instruct-0905',
      wait: { title: 'Tokens per minute are used up for this model', until: Date.now() + 12 * 3_600_000 },
    }),
  },
]);

describe('comparing models on the chat page', () => {
  const open = chatPages();

  describe('the model selection', () => {
    it('is searched, checked with Enter up to four, and confirmed by its button', async () => {
      const { page, host } = await open();
      await openPanel(page);
      const start = page.locator('.compare-foot vscode-button').first();
      assert.equal(await start.textContent(), 'Choose 2 to 4 Models');
      await page.keyboard.type('glm');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelectorAll('.check-option[aria-selected=true]').length === 1);
      await page.locator('.compare-panel .picker-search').fill('');
      for (const _ of [1, 2]) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('.compare-most', { hasText: 'Up to 4 models' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.equal(await start.textContent(), 'Compare 4 Models');
      await start.locator('button').click();
      const chosen = [models[0], models[1], models[2], 'moonshotai/Kimi-K2-Instruct-0905'];
      assert.deepEqual(await host.wasAsked('chat/compareWith'), { models: chosen, on: true });
      await page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
      assert.equal(await page.locator('.send').textContent(), 'Send to 4 Models');
    });

    it('accepts unlisted model IDs, and keeps them in the list', async () => {
      const { page, host } = await open();
      await openPanel(page);
      const search = page.locator('.compare-panel .picker-search');
      const options = page.locator('.check-option');
      for (const id of ['their/tuned-one', 'their/other-one']) {
        await search.fill(id);
        await page.locator('.picker-active', { hasText: `Use ${id}` }).waitFor();
        await page.keyboard.press('Enter');
        await page.locator('.picker-active[aria-selected=true]', { hasText: id.split('/')[1] ?? '' }).waitFor();
      }
      // One that was given up can be chosen again.
      await page.keyboard.press('Enter');
      await page.locator('.picker-active[aria-selected=false]', { hasText: 'other-one' }).waitFor();
      await page.keyboard.press('Enter');
      await search.fill('their');
      await page.locator('.compare-panel .picker-heading', { hasText: 'Unlisted' }).waitFor();
      assert.deepEqual(await options.locator('.picker-name').allTextContents(), [
        'tuned-one',
        'other-one',
        'Use their',
      ]);
      await takePicture(page, 'dist/test/screenshots/webview/compare-typed.png');
      await page.locator('.compare-foot vscode-button').first().locator('button').click();
      const chosen = [emptySnapshot().model, 'their/tuned-one', 'their/other-one'];
      assert.deepEqual(await host.wasAsked('chat/compareWith'), { models: chosen, on: true });
      await openPanel(page);
      assert.equal(await options.and(page.locator('[aria-selected=true]')).count(), 3);
    });

    it('closes unchanged with Escape, and ends when one model is used', async () => {
      const { page, host } = await open(emptySnapshot({ comparing: { models, on: true } }));
      await openPanel(page);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.activeElement?.matches('.bar-compare'));
      assert.equal(
        await page.locator('.compare-line-text').textContent(),
        `The next question uses tokens on 3 models: ${names}`,
      );
      await page.getByRole('button', { name: 'Use One Model' }).click();
      assert.deepEqual(await host.wasAsked('chat/compareWith'), { models, on: false });
      await page.locator('.compare-line').waitFor({ state: 'detached' });
      assert.equal(await page.locator('.send').textContent(), 'Send');
    });
  });

  describe('the answers', () => {
    it('are requested from all models with Enter, each in its own column', async () => {
      const follows = new Map<string, CallContext<AnswerChunk>['emit']>();
      const ends = new Map<string, (answer: Answer) => void>();
      const { page, host } = await open(emptySnapshot({ comparing: { models, on: true } }), {
        width: 1200,
        handlers: {
          'chat/follow': ({ tryId = '' }, { emit }) => {
            follows.set(tryId, emit);
            return new Promise((resolve) => ends.set(tryId, (answer) => resolve({ answer })));
          },
        },
      });
      await page.locator('.composer-text:focus').waitFor();
      await page.keyboard.type(question);
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/compare'), { text: question, models });
      await page.locator('.compare-column').nth(2).waitFor();
      await spoke(page, '3 models are answering.');
      await until(() => (ends.size === 3 ? true : undefined), 'each answer is followed');
      follows.get('a1')?.({ type: 'append', block: 0, kind: 'text', text: 'It **allocates**.' });
      await page.locator('.compare-column').nth(1).locator('.md').getByText('It').waitFor();
      assert.equal(await page.locator('.compare-column .md').count(), 1);
      ends.get('a1')?.(column(1, {}).answer);
      await spoke(page, 'GLM-4.6: Response complete.');
      assert.equal(await page.locator('[role=status] p', { hasText: 'allocates' }).count(), 0);
      await page
        .locator('.compare-column')
        .nth(1)
        .locator('.facts', { hasText: 'first token after 0.5 s · 71 tok/s' })
        .waitFor();
      assert.equal(await page.locator('.compare-summary').count(), 0);
      ends.get('a0')?.(column(0, {}).answer);
      ends.get('a2')?.({ ...column(2, {}).answer, state: 'failed', blocks: [], error: failure });
      await spoke(page, 'DeepSeek-V3.2: No response: The service is overloaded');
      await page.locator('.compare-summary', { hasText: 'Fastest first token: Qwen3' }).waitFor();
      await page.locator('.send', { hasText: 'Send to 3' }).waitFor();
    });

    it('stop together with Escape, and separately with their buttons', async () => {
      const { page, host } = await open(mixed, { width: 1200, drawn: '.compare-column' });
      await page.getByRole('button', { name: 'Stop Response from DeepSeek-V3.2' }).click();
      assert.deepEqual(await host.wasAsked('chat/stopTry'), { turnId: 'q', tryId: 'a2' });
      await page.locator('.compare-column').nth(3).getByText('Stop Waiting').click();
      assert.deepEqual(await host.wasAsked('chat/stopTry', 2), { turnId: 'q', tryId: 'a3' });
      await page.locator('.composer-text').focus();
      await page.keyboard.press('Escape');
      assert.deepEqual(await host.wasAsked('chat/stop'), { turnId: 'q' });
    });

    it('are regenerated separately, with another model or without a rejected parameter', async () => {
      const actions = [
        { id: 'useModel:zai-org/GLM-4.7', label: 'Use GLM-4.7' },
        { id: 'without:top_k', label: 'Send Without top_k' },
        { id: 'chooseModel', label: 'Choose Another Model' },
      ];
      const failed = column(1, { state: 'failed', blocks: [], error: { ...failure, actions } });
      const { page, host } = await open(compared([column(0, {}), failed]), { width: 700, drawn: '.compare-column' });
      const note = page.locator('.compare-column .note');
      assert.deepEqual(await note.locator('button').allTextContents(), [
        'Use GLM-4.7',
        'Send Without top_k',
        'Try Again',
      ]);
      await note.getByText('Send Without top_k').click();
      assert.deepEqual(await host.wasAsked('chat/withoutParameter'), { parameter: 'top_k', model: models[1] });
      assert.deepEqual(await host.wasAsked('chat/compareAgain'), { turnId: 'q', tryId: 'a1', model: models[1] });
      await page.locator('.compare-column').nth(1).locator('.waiting').waitFor();
      assert.equal(await page.locator('.compare-column').first().locator('.md').count(), 1);
      await page.getByRole('button', { name: 'Regenerate Response from Qwen3-Coder-30B-A3B-Instruct' }).focus();
      await page.getByText('Price: about $0.01').waitFor();
      assert.deepEqual(await host.wasAsked('chat/price'), { turnId: 'q', models: [models[0]] });
      await page.getByRole('button', { name: 'Regenerate Response from Qwen3-Coder-30B-A3B-Instruct' }).click();
      assert.deepEqual(await host.wasAsked('chat/compareAgain', 2), { turnId: 'q', tryId: 'a0', model: models[0] });
    });

    it('can be requested with the model that an error suggests', async () => {
      const actions = [{ id: 'useModel:Pro/zai-org/GLM:4.7', label: 'Use it' }];
      const failed = column(1, { state: 'failed', blocks: [], error: { ...failure, actions } });
      const { page, host } = await open(compared([column(0, {}), failed]), { width: 700, drawn: '.compare-column' });
      await page.locator('.compare-column .note').getByText('Use it').click();
      assert.deepEqual(await host.wasAsked('chat/compareAgain'), {
        turnId: 'q',
        tryId: 'a1',
        model: 'Pro/zai-org/GLM:4.7',
      });
    });

    it('collapse into the selected one, which can be reversed', async () => {
      const { page, host } = await open(all, { width: 1200, drawn: '.compare-column' });
      const shown = { ...turn(question, column(1, {}).answer, 'q'), comparison: { columns: [], count: 3 } };
      host.snapshot = emptySnapshot({ turns: [shown], comparing: { models, on: false }, model: models[1] });
      await page.locator('.compare-column').nth(1).getByText('Continue with This Response').click();
      assert.deepEqual(await host.wasAsked('chat/pick'), { turnId: 'q', tryId: 'a1' });
      await page.locator('.answer .who-model', { hasText: 'GLM-4.6' }).waitFor();
      await spoke(page, 'The conversation continues with GLM-4.6.');
      await page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
      await page.locator('.picker-label', { hasText: 'GLM-4.6' }).waitFor();
      host.snapshot = all;
      await page.getByRole('button', { name: 'Show All 3 Responses' }).click();
      assert.deepEqual(await host.wasAsked('chat/showComparison'), { turnId: 'q' });
      await page.locator('.compare-column').nth(2).waitFor();
      await page.waitForFunction(() => document.activeElement?.matches('.turn-compared'));
    });

    it('are copied separately as text', async () => {
      const { page, host } = await open(all, { width: 1200, drawn: '.compare-column' });
      await page.getByRole('button', { name: 'Copy Response from GLM-4.6' }).click();
      assert.deepEqual(await host.wasAsked('chat/copy'), { text: words });
    });

    it('require a selection before the next question, which offers each of them', async () => {
      const refusal: WireError = {
        kind: 'user',
        title: 'Choose the response to continue with',
        detail: '',
        actions: [{ id: 'pick:a2', label: 'Continue with DeepSeek-V3.2' }],
      };
      const { page, host } = await open(all, {
        drawn: '.compare-column',
        handlers: { 'chat/compare': () => Promise.reject(refusal) },
      });
      await page.locator('.composer-text').fill('And now?');
      await page.keyboard.press('Enter');
      await page.getByText('Continue with DeepSeek-V3.2').click();
      assert.deepEqual(await host.wasAsked('chat/pick'), { turnId: 'q', tryId: 'a2' });
      assert.equal(await page.locator('.composer-text').inputValue(), 'And now?');
    });
  });

  describe('in a narrow page', () => {
    it('are in tabs that show their state and respond to the arrow keys', async () => {
      const { page } = await open(mixed, { width: 220, drawn: '.compare-tab' });
      const states = await page.locator('.compare-tab-state').allTextContents();
      assert.deepEqual(states, ['answering', 'no response', 'waiting', 'waiting']);
      await page.getByRole('tab').first().focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('tabpanel', { name: /GLM-4.6/ }).waitFor();
      assert.equal(await page.getByRole('tabpanel').count(), 1);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page
        .getByRole('tabpanel', { name: /Kimi-K2/ })
        .getByText('Tokens per minute')
        .waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Stop Waiting');
    });

    it('become columns with their own headings when there is space', async () => {
      const { page } = await open(all, { width: 340, drawn: '.compare-tab' });
      await page.setViewportSize({ width: 700, height: 720 });
      await page.getByRole('tablist').waitFor({ state: 'detached' });
      assert.deepEqual(await page.getByRole('heading', { level: 3 }).allTextContents(), [
        models[0].split('/')[1],
        ...names.split(', '),
      ]);
      const tops = await page
        .locator('.compare-column')
        .evaluateAll((columns) => columns.map((one) => one.getBoundingClientRect().top));
      assert.equal(new Set(tops).size, 1);
    });
  });

  for (const [name, snapshot] of Object.entries({ all, mixed }))
    it(`are readable and reachable: ${name}`, async () => {
      const { page } = await open(snapshot, { drawn: '.compare-column' });
      await look(page, `compare-${name}`, { place: 'side', colours: true });
      await look(page, `compare-${name}`);
      await openPanel(page);
      await look(page, `compare-${name}-panel`, { place: 'side' });
    });
});

async function spoke(page: Page, sentence: string): Promise<void> {
  await page.locator('[role=status] p', { hasText: sentence }).waitFor({ state: 'attached' });
}

async function openPanel(page: Page): Promise<void> {
  const button = page.locator('.bar-compare');
  if (await button.isVisible()) await button.click();
  // A narrow bar has no room for it: it is opened by its command.
  else await button.evaluate((element: HTMLElement) => element.click());
  await page.locator('.compare-panel .picker-search:focus').waitFor();
}
