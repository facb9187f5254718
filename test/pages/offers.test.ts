import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Offer } from '../../src/protocol/chatOffers';
import { accessibilityFaults } from '../support/accessibility';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { takePicture } from '../support/takePicture';
import type { Theme } from '../support/webviewPage';

const offers: readonly Offer[] = [
  { id: 'o1', kind: 'selection', group: 'Context', name: 'Selection', detail: 'src/core/parse.ts' },
  { id: 'o2', kind: 'openFile', group: 'Recent files', name: 'Open file', detail: 'src/core/parse.ts' },
  { id: 'o3', kind: 'problems', group: 'Context', name: 'Problems in open file (3)', detail: 'src/core/parse.ts' },
  { id: 'o4', kind: 'terminal', group: 'Context', name: 'Terminal selection', detail: 'bash' },
  {
    id: 'o5',
    kind: 'file',
    group: 'Files',
    name: 'parse.test.ts',
    detail: 'test/unit/core/a/very/long/path/that/does/not/fit/in/one/line',
  },
  { id: 'o6', kind: 'folder', group: 'Folders', name: 'parsers', detail: 'src/core' },
  { id: 'o7', kind: 'file', group: 'Files', name: `a${'-very-long-name'.repeat(8)}.ts`, detail: 'src' },
  { id: 'o8', kind: 'file', group: 'Files', name: 'README.md', detail: '' },
  { id: 'o9', kind: 'file', group: 'Files', name: 'קובץ.md', detail: 'docs' },
];

/** Drags something over the page, or drops it, as the browser tells of it. */
async function drag(page: Page, type: 'dragenter' | 'drop', carried: { uris?: string; file?: string }): Promise<void> {
  await page.evaluate(
    ({ name, uris, file }) => {
      const dataTransfer = new DataTransfer();
      if (uris !== undefined) dataTransfer.setData('application/vnd.code.uri-list', uris);
      if (file !== undefined) dataTransfer.items.add(new File([file], 'dropped.txt'));
      document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    },
    { name: type, ...carried },
  );
}

describe('suggestions for # on the chat page', () => {
  const openPage = chatPages();

  const open = async (looks: { theme?: Theme; width?: number } = {}) => {
    const opened = await openPage(emptySnapshot(), {
      ...looks,
      prepare: (host) => {
        host.offers = offers;
      },
      drawn: '.composer-text',
    });
    const box = opened.page.locator('.composer-text');
    await box.click();
    return { ...opened, box, options: opened.page.locator('[role=listbox] [role=option]') };
  };

  it('are selected by keyboard, and keep the rest of the question', async () => {
    const { page, host, box, options } = await open();
    await box.pressSequentially('Why is #pars');
    // The list of all has these among them.
    await options.nth(1).waitFor();
    await options.nth(2).waitFor({ state: 'detached' });
    await options.filter({ hasText: 'parsers' }).waitFor();
    await page
      .locator('[role=status] p', { hasText: /Use the arrow keys to choose/ })
      .first()
      .waitFor();
    await box.press('ArrowDown');
    const active = await box.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`[id="${active}"]`).textContent(), 'parserssrc/core');
    await box.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/attachOffer'), { id: 'o6' });
    assert.equal(await box.inputValue(), 'Why is ');
    assert.equal(await options.count(), 0);
    await box.pressSequentially('slow?');
    await box.press('Enter');
    const asked = (await host.wasAsked('chat/ask')) as { readonly text: string };
    assert.equal(asked.text, 'Why is slow?');
  });

  it('include commands for a slash at the start or after a space, which insert their prompt', async () => {
    const { page, host, box, options } = await open();
    const detail = 'Explain problems in the selection or open file';
    host.commands = [
      { id: 'c1', kind: 'task', group: 'Code', name: 'explain', detail },
      {
        id: 'c2',
        kind: 'promptFile',
        group: 'Prompt files in this workspace',
        name: 'export-notes',
        detail: 'prompts/export-notes.desk.md',
      },
      { id: 'c3', kind: 'command', group: 'Conversation', name: 'export', detail: 'Export the conversation' },
    ];
    await box.pressSequentially('src/exp');
    await box.press('Control+a');
    await box.pressSequentially('/exp');
    await options.nth(2).waitFor();
    assert.equal(await page.locator('[role=listbox]').getAttribute('aria-label'), 'Commands');
    assert.equal(await options.first().locator('.offer-detail').textContent(), detail);
    await takePicture(page, 'dist/test/screenshots/webview/commands.png');
    await box.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/takeCommand'), { id: 'c1' });
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('.composer-text')?.value === 'The text of c1.',
    );
    assert.ok(
      !host.asked.some(
        ({ method, params }) =>
          method === 'chat/commands' &&
          'query' in (params as object) &&
          (params as { query: string }).query.startsWith('src'),
      ),
    );
    await box.press('Enter');
    assert.equal(((await host.wasAsked('chat/ask')) as { readonly text: string }).text, 'The text of c1.');
  });

  it('keep the typed text in the box when the attachment is rejected', async () => {
    const refusal = { kind: 'user', title: "Couldn't attach parse.ts", detail: 'The text is too long.', actions: [] };
    const { page } = await openPage(emptySnapshot(), {
      prepare: (host) => {
        host.commands = [{ id: 'c1', kind: 'task', group: 'Code', name: 'fix', detail: 'Fix the problems' }];
        host.offers = offers;
      },
      handlers: {
        'chat/takeCommand': () => Promise.reject(refusal as unknown as Error),
        'chat/attachOffer': () => Promise.reject(refusal as unknown as Error),
      },
      drawn: '.composer-text',
    });
    const box = page.locator('.composer-text');
    const errors = page.locator('.note', { hasText: refusal.title });
    for (const typed of ['Please /fix', 'See #read']) {
      await box.fill('');
      await box.pressSequentially(typed);
      await page.locator('.offer').first().waitFor();
      await box.press('Enter');
      await errors.waitFor();
      await page.waitForFunction(
        (text) => document.querySelector<HTMLTextAreaElement>('.composer-text')?.value === text,
        typed,
      );
    }
  });

  it('open from the add button too, with group headings, above the box and as wide', async () => {
    for (const width of [200, 240, 300, 420, 900]) {
      const { page, box } = await open({ width });
      await box.fill('Why is');
      await page.getByRole('button', { name: 'Add Context…' }).click();
      await page.locator('.offer').first().waitFor();
      assert.equal(await box.inputValue(), 'Why is #');
      assert.deepEqual((await page.locator('.offers-group').allTextContents()).slice(0, 3), [
        'Context',
        'Recent files',
        'Context',
      ]);
      const [list, frame] = await Promise.all([
        page.locator('.offers').boundingBox(),
        page.locator('.composer-box').boundingBox(),
      ]);
      assert.ok(list && frame);
      assert.deepEqual([list.x, list.width], [frame.x, frame.width]);
      assert.equal(Math.round(frame.y - list.y - list.height), 4);
      await takePicture(page, `dist/test/screenshots/webview/offers-${width}.png`);
      assert.deepEqual(await accessibilityFaults(page), []);
    }
  });

  it('leave the arrow keys to earlier questions, and return to the draft', async () => {
    const { page, host, box } = await open();
    host.snapshot = emptySnapshot({ turns: [turn('First question', {}), turn('Second question', {})] });
    await page.reload();
    await page.locator('.turn').first().waitFor();
    await box.fill('typed');
    await box.press('Home');
    await box.press('ArrowUp');
    assert.equal(await box.inputValue(), 'Second question');
    await box.press('ArrowUp');
    assert.equal(await box.inputValue(), 'First question');
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    assert.equal(await box.inputValue(), 'typed');
  });

  it('are selected with Tab or the mouse, also in the middle of a text', async () => {
    const { page, host, box, options } = await open();
    await box.fill('Compare  with this');
    await page.evaluate(() => document.querySelector<HTMLTextAreaElement>('.composer-text')?.setSelectionRange(8, 8));
    await box.pressSequentially('#readme');
    await options.first().waitFor();
    await box.press('Tab');
    assert.deepEqual(await host.wasAsked('chat/attachOffer'), { id: 'o8' });
    assert.equal(await box.inputValue(), 'Compare with this');
    await box.pressSequentially('#');
    await options.nth(3).click();
    assert.deepEqual(await host.wasAsked('chat/attachOffer', 2), { id: 'o4' });
    assert.equal(await box.evaluate((element) => element === document.activeElement), true);
  });

  it('include the latest typed text when Tab is pressed before the list has updated', async () => {
    const { page, host, box, options } = await open();
    await box.pressSequentially('#');
    await options.nth(1).waitFor();
    const offersAsked = host.asked.filter(({ method }) => method === 'chat/offers').length;
    // In one turn of the page's loop: the list cannot have followed.
    await box.evaluate((field: HTMLTextAreaElement) => {
      field.setRangeText('readme', 1, 1, 'end');
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }));
    });
    assert.deepEqual(await host.wasAsked('chat/attachOffer'), { id: 'o8' });
    assert.deepEqual(await host.wasAsked('chat/offers', offersAsked + 1), { query: 'readme' });
    assert.equal(await box.inputValue(), '');
    assert.equal(await page.locator('.offers').count(), 0);
  });

  it('close with Escape for the current word, so Enter sends the question', async () => {
    const { host, box, options } = await open();
    await box.pressSequentially('See #read');
    await options.first().waitFor();
    await box.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    await box.pressSequentially('me');
    await box.press('Enter');
    const asked = (await host.wasAsked('chat/ask')) as { readonly text: string };
    assert.equal(asked.text, 'See #readme');
    assert.equal(host.asked.filter(({ method }) => method === 'chat/attachOffer').length, 0);
  });

  it("don't appear within a word, without matches, or after the word", async () => {
    const { host, box, options } = await open();
    await box.pressSequentially('C#');
    await box.pressSequentially(' #nothing-has-this');
    const queries = () => host.asked.flatMap(({ method, params }) => (method === 'chat/offers' ? [params] : []));
    while (JSON.stringify(queries().at(-1)) !== '{"query":"nothing-has-this"}')
      await host.wasAsked('chat/offers', queries().length + 1);
    await options.first().waitFor({ state: 'detached' });
    assert.ok(!JSON.stringify(queries()).includes('C'));
    await box.fill('');
    await box.pressSequentially('#r');
    await options.first().waitFor();
    await box.press('Space');
    await options.first().waitFor({ state: 'detached' });
  });

  it('open after a Chinese character once the composition has ended', async () => {
    const { page, host, box, options } = await open();
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: '请看＃', selectionStart: 3, selectionEnd: 3 });
    await box.dispatchEvent('keyup', { key: '#', keyCode: 229, isComposing: true });
    assert.ok(!host.asked.some(({ method }) => method === 'chat/offers'));
    await session.send('Input.insertText', { text: '请看＃' });
    await options.first().waitFor();
    await box.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/attachOffer'), { id: 'o1' });
    assert.equal(await box.inputValue(), '请看');
  });

  it('ignore the keys of a composition', async () => {
    const { page, host, box, options } = await open();
    await box.pressSequentially('#');
    await options.first().waitFor();
    await page.evaluate(() => {
      const key = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
      document.querySelector('.composer-text')?.dispatchEvent(new KeyboardEvent('keydown', key));
    });
    assert.equal(await options.count(), offers.length);
    assert.deepEqual(
      host.asked.filter(({ method }) => method === 'chat/attachOffer' || method === 'chat/ask'),
      [],
    );
  });

  for (const [theme, width] of [
    ['light', 220],
    ['highContrast', 620],
  ] as const) {
    it(`fit ${width} pixels, ${theme}, and are accessible to a screen reader`, async () => {
      const { page, box, options } = await open({ theme, width });
      await box.pressSequentially('Compare this with #');
      await options.nth(8).waitFor();
      await box.press('ArrowDown');
      const frame = await page.locator('[role=listbox]').boundingBox();
      assert.ok(frame && frame.x >= 0 && frame.x + frame.width <= width && frame.y >= 0);
      assert.deepEqual(await accessibilityFaults(page), []);
    });
  }
});

describe('items dropped on the chat page', () => {
  const openPage = chatPages();
  const uris = 'file:///home/me/a.ts\r\nfile:///home/me/folder';

  it('are sent to the host by URI, and the page shows the drop target', async () => {
    const { page, host } = await openPage();
    await drag(page, 'dragenter', { uris });
    await page.getByText('Drop to attach').waitFor();
    await drag(page, 'drop', { uris });
    const requested = { uris: ['file:///home/me/a.ts', 'file:///home/me/folder'], files: [] };
    assert.deepEqual(await host.wasAsked('chat/drop'), requested);
    await page.locator('.drop-target').waitFor({ state: 'detached' });
  });

  it('are sent as text if they have no URI, or else as an error', async () => {
    const { page, host } = await openPage();
    await drag(page, 'drop', { file: 'grüß\n' });
    assert.deepEqual(await host.wasAsked('chat/drop'), { uris: [], files: [{ name: 'dropped.txt', text: 'grüß\n' }] });
    await drag(page, 'drop', { file: 'x'.repeat(400_001) });
    const tooLong = [{ name: 'dropped.txt', problem: 'tooLong' }];
    assert.deepEqual(await host.wasAsked('chat/drop', 2), { uris: [], files: tooLong });
  });

  it("are rejected with the host's reason, like a result of #", async () => {
    const refusal = {
      kind: 'user',
      title: 'Attachments are disabled in Restricted Mode',
      detail: 'Trust it.',
      actions: [],
    };
    const refuse = () => Promise.reject(refusal);
    for (const attach of ['drop', '#'] as const) {
      const { page } = await openPage(emptySnapshot(), {
        prepare: (host) => {
          host.offers = offers;
        },
        handlers: { 'chat/attachOffer': refuse, 'chat/drop': refuse },
        drawn: '.composer-text',
      });
      if (attach === 'drop') await drag(page, 'drop', { file: 'text' });
      else {
        await page.locator('.composer-text').pressSequentially('#readme');
        await page.getByRole('option', { name: 'README.md' }).waitFor();
        await page.locator('.composer-text').press('Enter');
      }
      await page.locator('.note-title', { hasText: refusal.title }).waitFor();
      assert.equal(await page.locator('.composer .chip').count(), 0);
    }
  });

  it('are left to the text box if they are text', async () => {
    const { page, host } = await openPage();
    const isTaken = await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/plain', 'words');
      return !document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    assert.equal(isTaken, false);
    assert.equal(
      host.asked.some(({ method }) => method === 'chat/drop'),
      false,
    );
  });
});
