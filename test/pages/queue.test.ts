import assert from 'node:assert/strict';
import { accessibilityFaults } from '../support/accessibility';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { takePicture } from '../support/takePicture';
import { allThemes, wearTheme, type Theme } from '../support/webviewPage';

const answering = emptySnapshot({
  turns: [
    turn('Why does parse_rows drop the last row?', {
      state: 'streaming',
      blocks: [{ kind: 'text', text: 'It yields a row only when it sees a newline, so a file without one' }],
    }),
  ],
});
const message = (text: string, isAutomatic: boolean, id = text) => ({ id, text, attachments: [], isAutomatic });

describe('a message during an answer', () => {
  const openPage = chatPages();
  const shots = 'dist/test/screenshots/webview';

  const open = async (snapshot = answering, looks: { theme?: Theme; width?: number } = {}) => {
    const opened = await openPage(snapshot, looks);
    const box = opened.page.locator('.composer-text');
    await box.click();
    return { ...opened, box, button: (name: string) => opened.page.getByRole('button', { name, exact: true }) };
  };

  it('is queued by Enter, and can be edited, sent now, or removed', async () => {
    const { page, host, box, button } = await open();
    await box.pressSequentially('Also handle CRLF');
    assert.equal(await page.locator('.composer-status').textContent(), 'Enter QueueCtrl+Enter Stop and Send');
    await box.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/queue'), {
      text: 'Also handle CRLF',
      model: 'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    });
    const queued = page.locator('.queued');
    await queued.getByText('Also handle CRLF').waitFor();
    assert.equal(await queued.locator('.queued-state').textContent(), 'Queued');
    assert.equal(await box.inputValue(), '');
    await box.fill('and typed since');
    await button('Edit').click();
    assert.deepEqual(await host.wasAsked('chat/unqueue'), { id: 'q0', isEdited: true });
    await queued.waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), 'Also handle CRLF\n\nand typed since');
    await page.locator('.composer-text:focus').waitFor();
    await box.press('Enter');
    await queued.waitFor();
    await button('Send Now').click();
    assert.deepEqual(await host.wasAsked('chat/sendQueued'), {
      id: 'q0',
      model: 'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    });
    await queued.waitFor({ state: 'detached' });
    await box.fill('Another');
    await button('Queue Message').click();
    await queued.waitFor();
    await button('Remove').click();
    await queued.waitFor({ state: 'detached' });
    assert.deepEqual(await host.wasAsked('chat/unqueue', 2), { id: 'q0', isEdited: false });
  });

  it('stops the answer and is sent by Ctrl+Enter, or from the menu', async () => {
    const { page, host, box, button } = await open();
    await box.fill('Stop, use Python');
    await box.press('Control+Enter');
    assert.equal(((await host.wasAsked('chat/steer')) as { readonly text: string }).text, 'Stop, use Python');
    await page.locator('.turn .question-text', { hasText: 'Stop, use Python' }).waitFor();
    assert.equal(await box.inputValue(), '');
    await box.fill('No, Rust');
    await button('Choose How to Send').click();
    await page.locator('.menu-item:focus').waitFor();
    assert.deepEqual(await page.locator('.menu-item').allTextContents(), [
      'Queue Message (Enter)',
      'Stop Response and Send (Ctrl+Enter)',
    ]);
    await page.locator('.menu-item').nth(1).click();
    assert.equal(((await host.wasAsked('chat/steer', 2)) as { readonly text: string }).text, 'No, Rust');
  });

  it('is shown as queued before the host has it, and returns to the box if the host rejects it', async () => {
    const refusal = { kind: 'user', title: 'The disk is full', detail: '', actions: [] };
    let refuse = (): void => undefined;
    const queuing = () =>
      new Promise<never>((_resolve, reject) => (refuse = () => reject(refusal as unknown as Error)));
    const { page } = await openPage(answering, { handlers: { 'chat/queue': queuing } });
    const box = page.locator('.composer-text');
    await box.fill('Keep me');
    await box.press('Enter');
    await page.getByRole('group', { name: 'Queued' }).getByText('Keep me').waitFor();
    assert.equal(await box.inputValue(), '');
    await page.locator('[role=status]').getByText('Queued', { exact: true }).waitFor({ state: 'attached' });
    refuse();
    await page.locator('.note').first().waitFor();
    assert.equal(await page.locator('.queued').count(), 0);
    assert.equal(await box.inputValue(), 'Keep me');
  });

  it("says that it hasn't been sent yet after the answer failed or the page was reloaded", async () => {
    const failed = turn('Why?', {
      state: 'failed',
      error: { kind: 'network', title: 'No connection', detail: '', actions: [] },
    });
    const { page } = await open({
      ...emptySnapshot({ turns: [failed] }),
      queued: [message('Also handle CRLF', false)],
    });
    await page.getByRole('group', { name: 'Message not sent yet' }).getByText('Also handle CRLF').waitFor();
    await page.reload();
    await page.getByRole('group', { name: 'Message not sent yet' }).getByText('Also handle CRLF').waitFor();
  });

  for (const width of [200, 240, 300, 420, 900]) {
    it(`fits at ${width} pixels in every theme, without moving the bar`, async () => {
      const snapshot = { ...answering, queued: [message('Also handle \\r\\n', true)] };
      const { page, box } = await open(snapshot, { width });
      const places = () =>
        page
          .locator('.composer-bar .picker, .composer-bar .bar-button:not(.ring-button), .composer-status')
          .evaluateAll((all) => all.map((one) => [one.className, one.getBoundingClientRect().y]));
      const before = await places();
      await box.fill('and keep the line number');
      await page.locator('.steer').waitFor();
      assert.deepEqual(await places(), before);
      const edges = await page
        .locator('.composer-bar > *, .composer-status *')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      assert.deepEqual(
        edges.filter((right) => right > width - 8),
        [],
      );
      for (const theme of allThemes) {
        await wearTheme(page, theme);
        await takePicture(page, `${shots}/queue-${width}-${theme}.png`);
      }
      assert.deepEqual(await accessibilityFaults(page), []);
    });
  }
});
