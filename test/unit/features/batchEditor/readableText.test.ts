import assert from 'node:assert/strict';
import { linesNear, readableText } from '../../../../src/features/batchEditor/logic/readableText';

const line = (body: object, customId: string | undefined = 'a-1') => JSON.stringify({ custom_id: customId, body });

describe('the readable text of a line of a batch file', () => {
  it('is its ID and the last user message, on one line', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: [{ type: 'text', text: 'Where is\nmy order?' }] },
      { role: 'assistant', content: '{' },
    ];
    assert.equal(readableText(line({ messages })), 'a-1 ▸ Where is my order?');
    assert.equal(readableText(JSON.stringify({ body: { messages } })), '▸ Where is my order?');
    assert.match(readableText(line({ model: 'm', input: ['some text'] })) ?? '', /^a-1 ▸ some text/);
    assert.match(
      readableText(JSON.stringify({ recordId: 'r', modelInput: { messages } })) ?? '',
      /▸ Where is my order\?$/,
    );
  });

  it('is shortened, without characters that affect the display of others', () => {
    const content = `${'word '.repeat(200)}\u202e end`;
    const text = readableText(line({ messages: [{ role: 'user', content }] }, '\u202eid')) ?? '';
    assert.ok(text.length < 300);
    assert.doesNotMatch(text, /\u202e/);
  });

  it("is absent for lines that aren't requests or are too long to parse while scrolling", () => {
    for (const other of ['', '{', '[]', 'null', '{"custom_id":"a"}', '{"messages":"none"}'])
      assert.equal(readableText(other), undefined);
    assert.equal(readableText(line({ messages: [{ role: 'user', content: 'x'.repeat(300_000) }] })), undefined);
  });
});

describe('lines with readable text', () => {
  const visible = (start: number, end: number) => ({ start: { line: start }, end: { line: end } });

  it('are the visible ones, and twenty around them within the file', () => {
    const lines = linesNear([visible(30, 32)], 200);
    assert.deepEqual([lines[0], lines.at(-1), lines.length], [10, 52, 43]);
    assert.deepEqual(linesNear([visible(1, 2)], 4), [0, 1, 2, 3]);
    assert.deepEqual(linesNear([], 4), []);
  });

  it('are each decorated once if ranges are close together', () => {
    const lines = linesNear([visible(0, 10), visible(15, 20), visible(22, 25), visible(100, 101)], 200);
    assert.equal(new Set(lines).size, lines.length);
    assert.deepEqual(
      lines,
      [...lines].toSorted((one, other) => one - other),
    );
    assert.deepEqual([lines[0], lines[45], lines[46], lines.at(-1)], [0, 45, 80, 121]);
  });
});
