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
  it('passes over comments, names, ids and blank events', () => {
    assert.deepEqual(read(': hi\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n\n\nevent: empty\n\ndata:b\n\n'), [
      { type: 'data', text: 'a' },
      { type: 'data', text: 'b' },
    ]);
  });

  it('rejects an event of many short lines before they fill the memory', () => {
    const reader = createReader(1000);
    assert.throws(() => reader.push(Buffer.from('data:\n'.repeat(100))), isApiError);
  });

  it('joins the lines of one event', () => {
    assert.deepEqual(read('data: {"a":\ndata: 1}\n\n'), [{ type: 'data', text: '{"a":\n1}' }]);
  });

  it('gives a line that is no event, also the last one without its end', () => {
    const line = '{"code":60000,"message":"failed: x","data":null}';
    assert.deepEqual(read(`data: a\n\n${line}\ndata: b\n\n${line}`), [
      { type: 'data', text: 'a' },
      { type: 'stray', text: line },
      { type: 'data', text: 'b' },
      { type: 'stray', text: line },
    ]);
  });

  it('takes all three ends of a line, cut anywhere', () => {
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

  it('gives an end mark that has no blank line after it', () => {
    assert.deepEqual(read('data: [DONE]'), [{ type: 'data', text: '[DONE]' }]);
  });

  it('drops a byte order mark and survives bytes that are no text', () => {
    const reader = createReader(1000);
    const bytes = Buffer.concat([Buffer.from('\ufeffdata: a'), Buffer.from([0xff]), Buffer.from('\n\n')]);
    reader.push(bytes);
    assert.deepEqual(reader.items, [{ type: 'data', text: 'a\ufffd' }]);
  });

  it('refuses an event beyond its limit instead of holding it', () => {
    const reader = createReader(100);
    const push = () => reader.push(Buffer.from('x'.repeat(60)));
    reader.push(Buffer.from('data: '));
    push();
    assert.throws(push, (error) => isApiError(error) && error.kind === 'badResponse');
  });

  it('reads a large event that comes in small pieces', () => {
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
