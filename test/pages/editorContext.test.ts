import assert from 'node:assert/strict';
import type { EditorContext } from '../../src/protocol/chatOffers';
import { accessibilityFaults } from '../support/accessibility';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { takePicture } from '../support/takePicture';
import { allThemes, wearTheme } from '../support/webviewPage';

const file: EditorContext = { file: 'src/rows.py', problems: 2 };
const selected: EditorContext = { ...file, selection: 'src/rows.py:12-31' };

describe('the editor context in the chat', () => {
  const openPage = chatPages();
  const open = (context: EditorContext, width?: number) =>
    openPage(emptySnapshot(), {
      ...(width !== undefined && { width }),
      prepare: (host) => {
        host.context = context;
        host.commands = ['explain', 'fix', 'tests'].map((name) => ({
          id: name,
          kind: 'task',
          group: 'Code',
          name,
          detail: '',
        }));
      },
      drawn: '.chip-offer',
    });

  it('is offered as a dashed chip, which a click or Enter attaches without moving the layout', async () => {
    const { page, host, tell } = await open(selected);
    const offers = page.locator('.chip-offer');
    assert.deepEqual(await offers.allTextContents(), ['rows.py:12-31', 'rows.py']);
    const place = () => page.locator('.composer-text').boundingBox();
    const before = await place();
    await page.getByRole('button', { name: 'Attach src/rows.py', exact: true }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/attachContext'), { from: 'openFile' });
    tell('chat/attachmentsChanged', {
      chips: [{ id: 'a', kind: 'file', label: 'src/rows.py', characters: 10, tokens: 3 }],
    });
    await page.locator('.chip').waitFor();
    assert.deepEqual(await offers.allTextContents(), ['rows.py:12-31']);
    assert.deepEqual(await place(), before);
    await offers.click();
    assert.deepEqual(await host.wasAsked('chat/attachContext', 2), { from: 'selection' });
  });

  it('is dismissed with Backspace, and follows the active editor', async () => {
    const { page, host, tell } = await open(file);
    const offers = page.locator('.chip-offer');
    await offers.focus();
    await page.keyboard.press('Backspace');
    await offers.waitFor({ state: 'detached' });
    await page.locator('.composer-text:focus').waitFor();
    host.context = { file: 'test/test_rows.py', problems: 0 };
    tell('chat/editorContextChanged', {});
    await offers.getByText('test_rows.py').waitFor();
    host.context = undefined;
    tell('chat/editorContextChanged', {});
    await offers.waitFor({ state: 'detached' });
    await page.getByText('Start a conversation').waitFor();
  });

  it('determines the suggestions of an empty conversation', async () => {
    const { page, host } = await open(file);
    assert.equal(await page.locator('.welcome-title').textContent(), 'Start a conversation about rows.py');
    assert.deepEqual(await page.locator('.example').allTextContents(), [
      'Explain rows.py/explain',
      'Fix 2 problems in rows.py/fix',
      'Add tests for rows.py/tests',
    ]);
    await page.locator('.example').nth(1).click();
    assert.deepEqual(await host.wasAsked('chat/takeCommand'), { id: 'fix' });
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('.composer-text')?.value === 'The text of fix.',
    );
    assert.ok(!host.asked.some(({ method }) => method === 'chat/ask'));
  });

  for (const width of [200, 240, 300, 420, 900])
    it(`fits at ${width} pixels in every theme`, async () => {
      const { page } = await open(selected, width);
      for (const theme of allThemes) {
        await wearTheme(page, theme);
        const rows = await page
          .locator('.chip-offer')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
        assert.equal(new Set(rows).size, 1, 'In one row');
        await takePicture(page, `dist/test/screenshots/webview/context-${width}-${theme}.png`);
        assert.deepEqual(await accessibilityFaults(page), [], theme);
      }
    });
});
