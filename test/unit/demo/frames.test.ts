import assert from 'node:assert/strict';
import { createCutter, doneFrame, frameText, jsonFrame } from '../../../src/demo/frames';
import { seeded } from '../../../src/demo/seeded';

const text = frameText(jsonFrame({ type: 'ping', text: '你好，世界 🎉' }, 'ping'), '\n') + frameText(doneFrame, '\n');

describe('demo service: event streams', () => {
  it('are split anywhere, also within a line and a character, and join to the original', () => {
    const cutter = createCutter(seeded(1));
    const pieces: Buffer[] = [];
    for (let count = 0; count < 50; count += 1) pieces.push(...cutter.cut(Buffer.from(text)));
    pieces.push(cutter.rest());
    assert.equal(Buffer.concat(pieces).toString('utf8'), text.repeat(50));
    assert.ok(
      pieces.some((piece) => (piece[0] ?? 0) >> 6 === 2),
      'no cut inside a character',
    );
    assert.ok(pieces.filter((piece) => piece.at(-1) !== 10).length > 25, 'hardly a cut inside a line');
  });

  it('have event, data, and a blank line, with the requested line ending', () => {
    assert.equal(frameText(jsonFrame({ a: 1 }, 'note'), '\r\n'), 'event: note\r\ndata: {"a":1}\r\n\r\n');
    assert.equal(frameText(doneFrame, '\n'), 'data: [DONE]\n\n');
  });
});
