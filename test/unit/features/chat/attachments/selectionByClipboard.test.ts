import assert from 'node:assert/strict';
import { selectionByClipboard } from '../../../../../src/features/chat/logic/selectionByClipboard';

function createClipboard(held: string) {
  const clipboard = {
    held,
    written: [] as string[],
    readText: async () => clipboard.held,
    writeText: async (text: string) => {
      clipboard.held = text;
      clipboard.written.push(text);
    },
  };
  return clipboard;
}

describe('the selection of a terminal', () => {
  it('is read through the clipboard, which is restored afterward', async () => {
    const clipboard = createClipboard('mine');
    const copySelection = () => clipboard.writeText('$ npm test');
    assert.equal(await selectionByClipboard({ clipboard, copySelection }), '$ npm test');
    assert.equal(clipboard.held, 'mine');
  });

  it('is awaited, because the command ends before the text is available', async () => {
    const clipboard = createClipboard('mine');
    const copySelection = async () => void setImmediate(() => void clipboard.writeText('late'));
    assert.equal(await selectionByClipboard({ clipboard, copySelection }), 'late');
    assert.equal(clipboard.held, 'mine');
  });

  it('is recognized even if the clipboard already has the same text', async () => {
    const clipboard = createClipboard('same');
    assert.equal(await selectionByClipboard({ clipboard, copySelection: () => clipboard.writeText('same') }), 'same');
    assert.equal(clipboard.held, 'same');
  });

  it('is empty without a selection, and leaves the clipboard unchanged', async () => {
    const clipboard = createClipboard('mine');
    assert.equal(await selectionByClipboard({ clipboard, copySelection: async () => undefined }), '');
    assert.equal(clipboard.held, 'mine');
  });

  it('keeps a clipboard without text until text is selected', async () => {
    const picture = createClipboard('');
    assert.equal(await selectionByClipboard({ clipboard: picture, copySelection: async () => undefined }), '');
    assert.deepEqual(picture.written, []);
  });

  it('restores the clipboard when the command fails', async () => {
    const clipboard = createClipboard('mine');
    const copySelection = () => Promise.reject(new Error('no such command'));
    await assert.rejects(selectionByClipboard({ clipboard, copySelection }), /no such command/);
    assert.equal(clipboard.held, 'mine');
  });
});
