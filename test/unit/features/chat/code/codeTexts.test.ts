import assert from 'node:assert/strict';
import { fitEnd, placeCode, toLanguageId } from '../../../../../src/features/chat/logic/codeTexts';
import { isShellLanguage } from '../../../../../src/protocol/codeActions';

describe('the code of an answer', () => {
  it("is opened in VS Code's language for it", () => {
    const known = ['typescript', 'python', 'shellscript', 'go', 'plaintext'];
    const ids = ['ts', 'TS', 'python', 'py', 'bash', 'sh', 'go', 'cobol', '', 'constructor', '__proto__'].map((name) =>
      toLanguageId(name, known),
    );
    assert.deepEqual(ids, [
      'typescript',
      'typescript',
      'python',
      'python',
      'shellscript',
      'shellscript',
      'go',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('loses the line ending of its fence unless it replaces whole lines', () => {
    assert.equal(fitEnd('a\nb\n', 'x'), 'a\nb');
    assert.equal(fitEnd('a\r\n', 'x'), 'a');
    assert.equal(fitEnd('a\n', 'x\n'), 'a\n');
    assert.equal(fitEnd('a\n\n', ''), 'a\n');
    assert.equal(fitEnd('a', ''), 'a');
  });

  it('is inserted on separate lines with the local indentation', () => {
    const lines = ['def one():', '    a = 1', '', '    return a', '', '\t', 'two = one()'];
    const put = (line: number, column: number, code = '  x\n    y\n\n') => {
      const { from, to, text } = placeCode(code, { line, column, lineAt: (index) => lines[index] });
      const before = lines[line] ?? '';
      return before.slice(0, from) + text + before.slice(to);
    };
    assert.equal(put(1, 7), '    a = 1\n    x\n      y\n');
    assert.equal(put(1, 4, 'x\r\ny\r\n'), '    x\n    y\n    a = 1');
    assert.equal(put(2, 0, 'x'), '    x');
    assert.equal(put(4, 0, 'x'), 'x');
    assert.equal(put(5, 0, 'x\n  y'), '\tx\n\t  y');
    assert.equal(put(6, 11, 'x\n'), 'two = one()\nx');
  });

  it('is shell code only for shells', () => {
    assert.deepEqual(['bash', 'SH', 'pwsh', 'zsh'].map(isShellLanguage), [true, true, true, true]);
    assert.deepEqual(['', 'console', 'python', 'toString'].map(isShellLanguage), [false, false, false, false]);
  });
});
