import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Attachment } from '../../../../../src/core/conversation/attachment';
import { estimateErrorPercent } from '../../../../../src/core/tokens/estimate';
import { createAttachmentTray } from '../../../../../src/features/chat/logic/attachmentTray';
import { decodeText } from '../../../../../src/core/workspace/decodeText';
import { createHeldDraft } from '../../../../support/heldDraft';

const file = (label: string, text = 'x'): Attachment => ({ kind: 'file', label, language: '', text, tokens: 1 });

function createTray() {
  let changes = 0;
  const draft = createHeldDraft();
  const tray = createAttachmentTray(
    () => draft,
    { changed: () => changes++, onError: (error) => assert.fail(String(error)) },
    (most) => new Error(`at most ${most}`),
  );
  return { tray, changes: () => changes };
}

describe('the attachments of the next question', () => {
  it('are reloaded when they are added again', () => {
    const { tray, changes } = createTray();
    tray.add(file('a', 'old'));
    tray.add(file('b'));
    tray.add(file('a', 'newer'));
    assert.deepEqual(
      tray.chips.map(({ label, characters }) => [label, characters]),
      [
        ['b', 1],
        ['a', 5],
      ],
    );
    assert.equal(changes(), 3);
    tray.remove(tray.chips.map(({ id }) => id));
    assert.deepEqual(tray.attachments, []);
  });

  it('are limited', () => {
    const { tray } = createTray();
    for (let index = 0; index < 20; index++) tray.add(file(String(index)));
    assert.throws(() => tray.add(file('one more')), /at most 20/);
    tray.add(file('0', 'again'));
    assert.equal(tray.chips.length, 20);
  });

  it('contain only text', () => {
    assert.equal(decodeText(Buffer.from('grüß 你好\n')), 'grüß 你好\n');
    assert.equal(decodeText(Buffer.from('\ufeffwith a mark')), 'with a mark');
    assert.equal(decodeText(Buffer.from([0x89, 0x50, 0x4e, 0x47])), undefined);
    assert.equal(decodeText(Buffer.from('a\0b')), undefined);
    assert.equal(decodeText(Buffer.from('h\u00e9', 'latin1')), undefined);
    assert.equal(decodeText(readFileSync('media/icon.png')), undefined);
  });

  it('report the error of their token estimate', () => {
    assert.ok(readFileSync('webview/screens/chat/attachmentChips.tsx', 'utf8').includes(`±${estimateErrorPercent}%`));
  });
});
