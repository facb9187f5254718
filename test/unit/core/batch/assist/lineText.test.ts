import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineFault, toFormatted, toLine } from '../../../../../src/core/batch/assist/lineText';

describe('A batch line as a formatted document', () => {
  it('returns the identical line if nothing was changed, however it was written', () => {
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

  it('spreads a request across lines', () => {
    assert.equal(toFormatted('{"a":{"b":[1]}}'), '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n');
  });

  it('shows an invalid line too, so it can be fixed there', () => {
    assert.match(toFormatted('{"a":1 "b":2}'), /"b": 2/);
  });

  it("explains why a text can't be a line, and where", () => {
    assert.equal(lineFault('{\n  "a": 1\n}\n'), undefined);
    assert.deepEqual(lineFault('{\n  "a": 1\n  "b": 2\n}'), { message: 'Expected a comma.', offset: 13 });
    assert.match(lineFault('{"a":"x\ny"}')!.message, /closing double quote/);
    assert.match(lineFault('// a\n{}')!.message, /support comments/);
    assert.match(lineFault('[]')!.message, /Expected an object/);
    assert.ok(lineFault(''));
    assert.ok(lineFault('\n'));
  });

  it('formats a line of a megabyte, and converts it back', () => {
    const line = JSON.stringify({
      body: { messages: Array.from({ length: 2000 }, () => ({ content: 'x'.repeat(500) })) },
    });
    assert.equal(toLine(toFormatted(line), line), line);
  });
});
