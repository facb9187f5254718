import assert from 'node:assert/strict';
import { fitEnd, toLanguageId } from '../../../../../src/features/chat/code/codeTexts';
import { isShellLanguage } from '../../../../../src/protocol/codeActions';

describe('the code of an answer', () => {
  it('is opened in the language the editor calls it by', () => {
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

  it('loses the line end of its fence unless it replaces whole lines', () => {
    assert.equal(fitEnd('a\nb\n', 'x'), 'a\nb');
    assert.equal(fitEnd('a\r\n', 'x'), 'a');
    assert.equal(fitEnd('a\n', 'x\n'), 'a\n');
    assert.equal(fitEnd('a\n\n', ''), 'a\n');
    assert.equal(fitEnd('a', ''), 'a');
  });

  it('is a shell’s for shells alone', () => {
    assert.deepEqual(['bash', 'SH', 'pwsh', 'zsh'].map(isShellLanguage), [true, true, true, true]);
    assert.deepEqual(['', 'console', 'python', 'toString'].map(isShellLanguage), [false, false, false, false]);
  });
});
