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
  it('is read by way of the clipboard, which is then as before', async () => {
    const clipboard = createClipboard('mine');
    const copySelection = () => clipboard.writeText('$ npm test');
    assert.equal(await selectionByClipboard({ clipboard, copySelection }), '$ npm test');
    assert.equal(clipboard.held, 'mine');
  });

  it('is waited for, because the command ends before the text is there', async () => {
    const clipboard = createClipboard('mine');
    const copySelection = async () => void setImmediate(() => void clipboard.writeText('late'));
    assert.equal(await selectionByClipboard({ clipboard, copySelection }), 'late');
    assert.equal(clipboard.held, 'mine');
  });

  it('is told from the same text in the clipboard', async () => {
    const clipboard = createClipboard('same');
    assert.equal(await selectionByClipboard({ clipboard, copySelection: () => clipboard.writeText('same') }), 'same');
    assert.equal(clipboard.held, 'same');
  });

  it('is empty where nothing is selected, and the clipboard as before', async () => {
    const clipboard = createClipboard('mine');
    assert.equal(await selectionByClipboard({ clipboard, copySelection: async () => undefined }), '');
    assert.equal(clipboard.held, 'mine');
  });

  it('leaves a clipboard without text alone until something is selected', async () => {
    const picture = createClipboard('');
    assert.equal(await selectionByClipboard({ clipboard: picture, copySelection: async () => undefined }), '');
    assert.deepEqual(picture.written, []);
  });

  it('puts the clipboard back when the command fails', async () => {
    const clipboard = createClipboard('mine');
    const copySelection = () => Promise.reject(new Error('no such command'));
    await assert.rejects(selectionByClipboard({ clipboard, copySelection }), /no such command/);
    assert.equal(clipboard.held, 'mine');
  });
});
