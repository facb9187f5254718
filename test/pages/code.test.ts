import assert from 'node:assert/strict';
import type { Handlers } from '../../src/protocol/call';
import type { ChatScreen } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { drawn } from '../support/takePicture';

const snapshot = emptySnapshot({
  turns: [
    turn(
      'Which commands?',
      {
        blocks: [
          {
            kind: 'text',
            text: 'Two ways:\n\n```bash\nnpm ci\nnpm test\n```\n\n```ts\nconst a = 1 < 2;\n```\n\n```\nplain\n```',
          },
        ],
      },
      't1',
    ),
  ],
});

describe('the buttons of a code block', () => {
  const openPage = chatPages();

  const open = (width = 340, theme: 'dark' | 'light' = 'dark') =>
    openPage(snapshot, { theme, width, drawn: '.md-code >> nth=2' });
  const bash = { turnId: 't1', code: 'npm ci\nnpm test\n', language: 'bash' };

  it('hand the exact code over, with its turn and language', async () => {
    const { page, host } = await open();
    await page.locator('.md-insert').first().click();
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'insert' });
    await page.locator('.md-replace').nth(1).click();
    const ts = { turnId: 't1', code: 'const a = 1 < 2;\n', language: 'ts', action: 'replace' };
    assert.deepEqual(await host.wasAsked('chat/useCode', 2), ts);
    await page.locator('.md-copy').nth(2).click();
    assert.deepEqual(await host.wasAsked('chat/copy'), { text: 'plain\n' });
  });

  it('say at the block why what was pressed could not be done, until it is dismissed or pressed again', async () => {
    const refusal = {
      kind: 'user',
      title: 'No editor is open',
      detail: 'Open the file the code belongs to, put the cursor where it goes, and press again.',
      actions: [],
    };
    let fails = true;
    const handlers = { 'chat/useCode': () => (fails ? Promise.reject(refusal) : Promise.resolve({})) };
    const { page } = await openPage(snapshot, { width: 220, drawn: '.md-code >> nth=2', handlers });
    const press = async () => {
      await page.locator('.md-more').first().click();
      await page.getByRole('menuitem', { name: 'New File' }).click();
    };
    await press();
    const note = page.locator('.md-code').first().locator('.note');
    await note.getByText('No editor is open').waitFor();
    assert.equal(await page.locator('.note').count(), 1);
    await page
      .locator('[aria-live=polite]', { hasText: 'No editor is open. Open the file' })
      .waitFor({ state: 'attached' });
    await note.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('.note').waitFor({ state: 'detached' });
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.md-more')));
    await press();
    await note.waitFor();
    fails = false;
    await press();
    await note.waitFor({ state: 'detached' });
  });

  it('open what is not run as a new file, where the refusal offers it', async () => {
    const actions = [{ id: 'newFile', label: 'Open as New File' }];
    const refusal = { kind: 'user', title: "The code can't be run from here", detail: 'It is too long.', actions };
    const used: string[] = [];
    const handlers: Partial<Handlers<ChatScreen>> = {
      'chat/useCode': async ({ action }) => {
        used.push(action);
        return action === 'run' ? Promise.reject(refusal) : {};
      },
    };
    const { page } = await openPage(snapshot, { drawn: '.md-code >> nth=2', handlers });
    await page.locator('.md-more').first().click();
    await page.getByRole('menuitem', { name: 'Run in Terminal…' }).click();
    await page.getByRole('button', { name: 'Open as New File' }).click();
    await page.locator('.note').waitFor({ state: 'detached' });
    assert.deepEqual(used, ['run', 'newFile']);
  });

  it('have a menu that is used by keyboard, with the terminal for shells alone', async () => {
    const { page, host } = await open();
    const items = () => page.locator('.menu-item').allTextContents();
    await page.locator('.md-more').nth(1).click();
    await page.locator('.menu-item:focus').waitFor();
    assert.deepEqual(await items(), ['New File']);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.menu').count(), 0);
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.md-more')));
    await page.locator('.md-more').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.menu-item:focus').waitFor();
    assert.deepEqual(await items(), ['New File', 'Run in Terminal…']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'run' });
    assert.equal(await page.locator('.menu').count(), 0);
  });

  it('have a menu that stays while the page scrolls by itself, and closes when the person scrolls', async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 340, height: 320 });
    await drawn(page);
    await page.locator('.md-more').first().click();
    await page.locator('.menu-item:focus').waitFor();
    await page.locator('.log').evaluate(
      (log) =>
        new Promise((resolve) => {
          log.addEventListener('scroll', resolve, { once: true });
          log.scrollTop += log.scrollTop > 0 ? -20 : 20;
        }),
    );
    await drawn(page);
    assert.equal(await page.locator('.menu').count(), 1);
    await page.mouse.move(20, 40);
    await page.mouse.wheel(0, 20);
    await page.locator('.menu').waitFor({ state: 'detached' });
  });

  it('fold into the menu where there is no room', async () => {
    const { page, host } = await open(220);
    assert.deepEqual(await page.locator('.md-insert, .md-replace').locator('visible=true').count(), 0);
    await page.locator('.md-more').first().click();
    await page.locator('.menu-item:focus').waitFor();
    const items = ['Insert at Cursor', 'Replace Selection…', 'New File', 'Run in Terminal…'];
    assert.deepEqual(await page.locator('.menu-item').allTextContents(), items);
    const inside = await page.evaluate(() =>
      [...document.querySelectorAll('.menu, .md-code-button')].every(
        (element) => element.getBoundingClientRect().right <= document.documentElement.clientWidth,
      ),
    );
    assert.ok(inside);
    await page.locator('.menu-item').nth(1).click();
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'replace' });
  });
});
