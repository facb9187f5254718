import assert from 'node:assert/strict';
import { isApiError } from '../../../../src/core/api/errors';
import { createSseReader } from '../../../../src/core/api/sse';

type SseItem = { readonly type: 'data' | 'stray'; readonly text: string };

function createReader(maxEventChars: number) {
  const items: SseItem[] = [];
  const reader = createSseReader(maxEventChars, {
    onData: (text) => items.push({ type: 'data', text }),
    onStray: (text) => items.push({ type: 'stray', text }),
  });
  return { ...reader, items };
}

function read(text: string): readonly SseItem[] {
  const reader = createReader(1000);
  reader.push(Buffer.from(text));
  reader.end();
  return reader.items;
}

describe('server-sent events', () => {
  it('skip comments, names, IDs, and blank events', () => {
    assert.deepEqual(read(': hi\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n\n\nevent: empty\n\ndata:b\n\n'), [
      { type: 'data', text: 'a' },
      { type: 'data', text: 'b' },
    ]);
  });

  it('reject an event of many short lines before they fill the memory', () => {
    const reader = createReader(1000);
    assert.throws(() => reader.push(Buffer.from('data:\n'.repeat(100))), isApiError);
  });

  it('join the lines of one event', () => {
    assert.deepEqual(read('data: {"a":\ndata: 1}\n\n'), [{ type: 'data', text: '{"a":\n1}' }]);
  });

  it("return a line that isn't an event, also an unterminated last one", () => {
    const line = '{"code":60000,"message":"failed: x","data":null}';
    assert.deepEqual(read(`data: a\n\n${line}\ndata: b\n\n${line}`), [
      { type: 'data', text: 'a' },
      { type: 'stray', text: line },
      { type: 'data', text: 'b' },
      { type: 'stray', text: line },
    ]);
  });

  it('accept all three line endings, split anywhere', () => {
    const text = 'data: a\r\rdata: b\r\n\r\nnoise\rdata\ndata:c\n\r\ndata: d\n\r';
    const expected = [
      { type: 'data', text: 'a' },
      { type: 'data', text: 'b' },
      { type: 'stray', text: 'noise' },
      { type: 'data', text: '\nc' },
      { type: 'data', text: 'd' },
    ];
    for (let at = 0; at <= text.length; at += 1) {
      const reader = createReader(1000);
      reader.push(Buffer.from(text.slice(0, at)));
      reader.push(Buffer.from(text.slice(at)));
      assert.deepEqual(reader.items, expected, `cut at ${at}`);
    }
  });

  it('return an end mark without a blank line after it', () => {
    assert.deepEqual(read('data: [DONE]'), [{ type: 'data', text: '[DONE]' }]);
  });

  it('drop a byte-order mark, and survive invalid bytes', () => {
    const reader = createReader(1000);
    const bytes = Buffer.concat([Buffer.from('\ufeffdata: a'), Buffer.from([0xff]), Buffer.from('\n\n')]);
    reader.push(bytes);
    assert.deepEqual(reader.items, [{ type: 'data', text: 'a\ufffd' }]);
  });

  it('reject an event beyond the limit instead of buffering it', () => {
    const reader = createReader(100);
    const push = () => reader.push(Buffer.from('x'.repeat(60)));
    reader.push(Buffer.from('data: '));
    push();
    assert.throws(push, (error) => isApiError(error) && error.kind === 'badResponse');
  });

  it('read a large event in small chunks', () => {
    // 4 MB: growing a string piece by piece, and looking through it each time, would outlast the test.
    const reader = createReader(10_000_000);
    const piece = Buffer.from('x'.repeat(64));
    reader.push(Buffer.from('data: '));
    for (let index = 0; index < 65_536; index += 1) reader.push(piece);
    reader.push(Buffer.from('\n\n'));
    const [item] = reader.items;
    assert.equal(item?.text.length, 64 * 65_536);
  });
});
