import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineFault, toFormatted, toLine } from '../../../../../src/core/batch/assist/lineText';

describe('A batch line as a formatted document', () => {
  it('is the same line again when nothing was changed, however it was written', () => {
    for (const line of [
      '{"b":1.0,"a":1e5,"2":12345678901234567890,"1":"\\u00e9\\/","a":null}',
      '{"b": 1.0, "a": [1, 2, {}], "c": {"d": ": ,"}}',
      '[]',
      '{}',
    ]) {
      assert.equal(toLine(toFormatted(line), line), line);
    }
    fc.assert(
      fc.property(
        fc.json(),
        (line) =>
          toLine(toFormatted(line), line) === JSON.stringify(JSON.parse(line)) ||
          toLine(toFormatted(line), line) === line,
      ),
    );
  });

  it('spreads a request over lines', () => {
    assert.equal(toFormatted('{"a":{"b":[1]}}'), '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n');
  });

  it('shows a line that is no JSON too, so that it can be mended there', () => {
    assert.match(toFormatted('{"a":1 "b":2}'), /"b": 2/);
  });

  it('says what keeps a text from being a line, and where', () => {
    assert.equal(lineFault('{\n  "a": 1\n}\n'), undefined);
    assert.deepEqual(lineFault('{\n  "a": 1\n  "b": 2\n}'), { message: 'Expected a comma.', offset: 13 });
    assert.match(lineFault('{"a":"x\ny"}')!.message, /closing double quote/);
    assert.match(lineFault('// a\n{}')!.message, /support comments/);
    assert.match(lineFault('[]')!.message, /Expected an object/);
    assert.ok(lineFault(''));
    assert.ok(lineFault('\n'));
  });

  it('formats a line of a megabyte and takes it back', () => {
    const line = JSON.stringify({
      body: { messages: Array.from({ length: 2000 }, () => ({ content: 'x'.repeat(500) })) },
    });
    assert.equal(toLine(toFormatted(line), line), line);
  });
});
