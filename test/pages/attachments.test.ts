import assert from 'node:assert/strict';
import { imageSize } from 'image-size';
import type { Page } from 'playwright-core';
import type { AttachmentChip } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { look } from '../support/pageLooks';

const chips: readonly AttachmentChip[] = [
  { id: 'a', kind: 'selection', label: 'src/core/parse.ts:40-62', characters: 1104, tokens: 310 },
  {
    id: 'b',
    kind: 'file',
    label: `src/${'very-long-folder-name/'.repeat(6)}index.ts`,
    characters: 24_310,
    tokens: 6900,
  },
  { id: 'c', kind: 'problems', label: 'Problems in README.md', characters: 96, tokens: 24 },
];
const asked = emptySnapshot({
  turns: [{ ...turn('Why is it slow?', { blocks: [{ kind: 'text', text: 'Because.' }] }, 't1'), attachments: chips }],
});

describe('attachments on the chat page', () => {
  const openPage = chatPages();

  const open = (snapshot = emptySnapshot()) =>
    openPage(snapshot, {
      prepare: (host) => {
        host.chips = chips;
      },
      drawn: '.composer .chip >> nth=2',
    });

  it('show an estimated size, and open with a click', async () => {
    const { page, host } = await open();
    const first = page.locator('.chip-text').first();
    assert.match((await first.textContent()) ?? '', /parse\.ts:40-62$/);
    const title = 'src/core/parse.ts:40-62: 1,104 characters, about 310 tokens (±25%). Click to preview.';
    assert.equal(await first.getAttribute('title'), title);
    await first.click();
    assert.deepEqual(await host.wasAsked('chat/showAttachment'), { id: 'a' });
    await page.getByRole('button', { name: 'Add Context…' }).click();
    await host.wasAsked('chat/offers');
    assert.equal(await page.locator('.composer-text').inputValue(), '#');
  });

  it('are removed by keyboard, with the focus on the next', async () => {
    const { page, host, tell } = await open();
    await page.locator('.chip-text').first().focus();
    await page.keyboard.press('Delete');
    assert.deepEqual(await host.wasAsked('chat/detach'), { id: 'a' });
    tell('chat/attachmentsChanged', { chips: chips.slice(1) });
    await page.locator('.chip').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Problems in README.md' }).press('Enter');
    assert.deepEqual(await host.wasAsked('chat/detach', 2), { id: 'c' });
    await page.locator('[role=status] p', { hasText: 'Problems in README.md removed.' }).waitFor();
  });

  it('are sent with the question, and stay on its turn', async () => {
    const { page, host, tell } = await open(asked);
    await page.locator('.chips-sent .chip-text').nth(1).click();
    assert.deepEqual(await host.wasAsked('chat/showSentAttachment'), { turnId: 't1', index: 1 });
    assert.equal(await page.locator('.chips-sent .chip-remove').count(), 0);
    await page.locator('.composer-text').fill('And now?');
    await page.keyboard.press('Enter');
    const params = (await host.wasAsked('chat/ask')) as { readonly attachments: readonly string[] };
    assert.deepEqual(params.attachments, ['a', 'b', 'c']);
    tell('chat/attachmentsChanged', { chips: [] });
    await page.locator('.composer .chip').first().waitFor({ state: 'detached' });
  });

  it('belong to the current conversation', async () => {
    const { page, host, tell } = await open();
    host.chips = chips.slice(2);
    tell('chat/changed', emptySnapshot({ conversationId: 'c2' }));
    await page.locator('.composer .chip').nth(1).waitFor({ state: 'detached' });
    assert.match((await page.locator('.composer .chip').textContent()) ?? '', /Problems in README\.md/);
  });

  it('are announced when attached', async () => {
    const { page, tell } = await open();
    tell('chat/attachmentsChanged', {
      chips: [...chips, { id: 'd', kind: 'file', label: 'new.ts', characters: 1, tokens: 1 }],
    });
    await page.locator('[role=status] p', { hasText: 'new.ts attached.' }).waitFor();
  });

  it('are readable and reachable', async () => {
    const { page } = await open(asked);
    await look(page, 'attachments', { place: 'side' });
  });
});

describe('images on the chat page', () => {
  const openPage = chatPages();
  const shot: AttachmentChip = {
    id: 'i',
    kind: 'image',
    label: 'Pasted image',
    characters: 0,
    tokens: 1034,
    size: { width: 1280, height: 720 },
  };
  const seeing = emptySnapshot({
    models: [
      { id: 'Qwen/Qwen3-VL-32B', pinned: false, images: true },
      { id: 'zai-org/GLM-4.6', pinned: false, images: false },
      { id: 'new/model', pinned: false },
    ],
    model: 'Qwen/Qwen3-VL-32B',
  });

  /** Pastes a drawn image, or what `data` adds, into the question box. */
  const paste = (page: Page, side: number, data: Readonly<Record<string, string>> = {}, type = 'image/png') =>
    page.locator('.composer-text').evaluate(
      async (box, { size, texts, type: as }) => {
        const canvas = document.createElement('canvas');
        canvas.width = size;
        canvas.height = 10;
        canvas.getContext('2d')!.fillRect(0, 0, size, 5);
        const blob = await new Promise<Blob>((resolve) => canvas.toBlob((drawn) => resolve(drawn!), as));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([blob], 'image.png', { type: as }));
        for (const [name, text] of Object.entries(texts)) clipboardData.setData(name, text);
        return !box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { size: side, texts: data, type },
    );
  const sizeOf = async (params: unknown) => {
    const [file] = (params as { files: { name: string; image: string }[] }).files;
    const { width, height } = imageSize(Buffer.from(file?.image ?? '', 'base64'));
    return { name: file?.name, width, height };
  };

  it('are attached on paste under unique names, and scaled down if they are too large', async () => {
    const { page, host, tell } = await openPage(seeing);
    assert.equal(await paste(page, 40), true);
    assert.deepEqual(await sizeOf(await host.wasAsked('chat/drop')), { name: 'Pasted image', width: 40, height: 10 });
    tell('chat/attachmentsChanged', { chips: [shot] });
    await page.locator('.composer .chip').waitFor();
    await paste(page, 8200);
    const second = await sizeOf(await host.wasAsked('chat/drop', 2));
    assert.deepEqual(second, { name: 'Pasted image 2', width: 2048, height: 2 });
    tell('chat/scaleImage', { name: 'photo.png', base64: await bytesOf(page, 8200) });
    assert.deepEqual(await sizeOf(await host.wasAsked('chat/drop', 3)), { name: 'photo.png', width: 2048, height: 2 });
  });

  it('leave pasted text to the box, also if a spreadsheet copied an image of it', async () => {
    const { page, host } = await openPage(seeing);
    assert.equal(await paste(page, 40, { 'text/plain': 'a', 'text/html': '<td>a</td>' }), false);
    assert.ok(host.asked.every(({ method }) => method !== 'chat/drop'));
  });

  it('show what is sent, and in full after a click', async () => {
    const { page, host } = await openPage(seeing, { prepare: (one) => void (one.chips = [shot]) });
    const chip = page.locator('.composer .chip-text');
    assert.equal(
      await chip.getAttribute('title'),
      'Pasted image: 1,280 × 720 px, estimated tokens: 1,034. Click to view.',
    );
    await page.locator('.composer img.chip-image').waitFor();
    assert.deepEqual(await host.wasAsked('chat/attachedImage'), { id: 'i' });
    await chip.click();
    await page.getByRole('dialog', { name: 'Pasted image' }).getByText('1,280 × 720 px').waitFor();
    await look(page, 'attachments-image', { place: 'side' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('are reloaded on click after an error, with the reason if that fails again', async () => {
    let image = '';
    const { page, host } = await openPage(seeing, {
      prepare: (one) => {
        one.chips = [shot];
        image = one.image;
        one.image = '';
      },
    });
    const chip = page.locator('.composer .chip-text');
    await chip.waitFor();
    await host.wasAsked('chat/attachedImage');
    await chip.click();
    await page.getByText('The image is gone').first().waitFor();
    host.image = image;
    await chip.click();
    await page.getByRole('dialog', { name: 'Pasted image' }).getByText('1,280 × 720 px').waitFor();
  });

  it('are sent without text, unlike other attachments', async () => {
    const { page, host, tell } = await openPage(seeing, { prepare: (one) => void (one.chips = chips) });
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await page.locator('.composer .chip').first().waitFor();
    assert.equal(await send.isDisabled(), true);
    tell('chat/attachmentsChanged', { chips: [shot] });
    await page.locator('.send:enabled').waitFor();
    await page.locator('.composer-text').press('Enter');
    assert.deepEqual(await host.wasAsked('chat/ask'), { text: '', model: 'Qwen/Qwen3-VL-32B', attachments: ['i'] });
    await page.locator('.turn .question').waitFor();
    await page.locator('.question-text').waitFor({ state: 'hidden' });
  });

  it('are marked before sending if a model does not or might not support them', async () => {
    const { page, tell } = await openPage(seeing, { prepare: (one) => void (one.chips = [shot]), width: 300 });
    await page.locator('.composer .chip').waitFor();
    assert.equal(await page.locator('[data-line=images]').count(), 0);
    tell('chat/changed', { ...seeing, model: 'zai-org/GLM-4.6' });
    await page.getByText("GLM-4.6 doesn't support images.", { exact: true }).first().waitFor();
    await look(page, 'attachments-no-images', { place: 'side' });
    tell('chat/changed', { ...seeing, model: 'new/model' });
    await page.getByText('model might not support images.', { exact: true }).first().waitFor();
    await page.locator('[data-line=images]').getByRole('button', { name: 'Choose Model' }).click();
    await page.getByRole('option', { name: /Qwen3-VL-32B/ }).click();
    await page.locator('[data-line=images]').waitFor({ state: 'detached' });
  });
});

/** Returns an image of this width as Base64. */
function bytesOf(page: Page, width: number): Promise<string> {
  return page.evaluate((size) => {
    const canvas = document.createElement('canvas');
    canvas.width = size;
    canvas.height = 10;
    return canvas.toDataURL('image/png').split(',')[1]!;
  }, width);
}
