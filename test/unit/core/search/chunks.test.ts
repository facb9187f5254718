import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chunkCharacters, chunkLines, chunksOf } from '../../../../src/core/search/chunks';

const linesFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`).join('\n');

describe('chunks of a text', () => {
  const placesOf = (text: string) => [...chunksOf(text)].map(({ start, end }) => [start.line, end.line]);

  it('are overlapping sections, to the end', () => {
    assert.deepEqual(placesOf(linesFrom(0, 99)), [
      [0, 39],
      [32, 71],
      [64, 99],
    ]);
    assert.deepEqual(placesOf(linesFrom(0, 39)), [[0, 39]]);
    assert.deepEqual(placesOf(linesFrom(0, 40)), [
      [0, 39],
      [32, 40],
    ]);
  });

  it('neither begin nor end with blank lines, and none is blank', () => {
    const [only, ...others] = chunksOf('\n\n  \nfirst\n\nlast\n\n');
    assert.deepEqual(only, { start: { line: 3, character: 0 }, end: { line: 5, character: 4 }, text: 'first\n\nlast' });
    assert.deepEqual(others, []);
    assert.deepEqual([...chunksOf('')], []);
    assert.deepEqual([...chunksOf('\n'.repeat(500))], []);
  });

  it('are parts of a line that is too long, never cut within a character', () => {
    const long = `${'x'.repeat(chunkCharacters - 1)}😀${'y'.repeat(50)}`;
    const chunks = [...chunksOf(`short\n${long}\nend`)];
    assert.deepEqual(
      chunks.map(({ start, end }) => [start, end]),
      [
        [
          { line: 0, character: 0 },
          { line: 0, character: 5 },
        ],
        [
          { line: 1, character: 0 },
          { line: 1, character: chunkCharacters - 1 },
        ],
        [
          { line: 1, character: chunkCharacters - 1 },
          { line: 2, character: 3 },
        ],
      ],
    );
    assert.equal(chunks.at(-1)?.text, `😀${'y'.repeat(50)}\nend`);
  });

  it('cover the text within their size, with their locations', () => {
    const line = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ minLength: 1500, maxLength: 5000 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 90 }), fc.constantFrom('\n', '\r\n'), (lines, lineEnd) => {
        const clean = lines.map((text) => text.replaceAll(/[\r\n]/g, ' '));
        const seen = clean.map((text) => new Uint8Array(text.length));
        for (const { start, end, text } of chunksOf(clean.join(lineEnd))) {
          assert.ok(text.trim() !== '' && text.length <= chunkCharacters + chunkLines);
          assert.ok(end.line - start.line < chunkLines);
          const own = clean.slice(start.line, end.line + 1);
          own[own.length - 1] = own.at(-1)!.slice(0, end.character);
          own[0] = own[0]!.slice(start.character);
          assert.equal(text, own.join('\n'));
          for (let at = start.line; at <= end.line; at += 1) {
            seen[at]?.fill(1, at === start.line ? start.character : 0, at === end.line ? end.character : undefined);
          }
        }
        for (const [at, text] of clean.entries()) if (text.trim() !== '') assert.ok(!seen[at]?.includes(0));
      }),
      { numRuns: 60 },
    );
  });

  it('have the expected number in a file of 50,000 lines', () => {
    assert.equal(placesOf(linesFrom(0, 49_999)).length, Math.ceil((50_000 - 40) / 32) + 1);
  });
});
