import assert from 'node:assert/strict';
import { fitEnd, terminalTrouble, toLanguageId } from '../../../../../src/features/chat/code/codeTexts';
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

  it('goes to a terminal only if all of it can be read', () => {
    const usual = ['ls -l\n\n  echo hi\n', 'echo 你好 😀 ⚠️', `${'x'.repeat(30)}\n`.repeat(18), 'x'.repeat(540)];
    for (const code of usual) assert.equal(terminalTrouble(code), undefined, code);
    assert.equal(terminalTrouble(' \n'), 'empty');
    assert.equal(terminalTrouble('\u3000\n'), 'empty');
    const unseen = [
      '\t\r\b\u0000\u0003\u001B\u007F\u009B\u2028\u0085',
      '\u202E\u2066\u061C\u200B\u200D\u2060\uFEFF\u00AD\u{E0041}\uFE0F',
      '\u00A0\u3000\u2003\u205F\u2800\u3164\uFFA0\u034F\uE000\uD800',
    ].join('');
    for (const character of unseen) {
      const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
      assert.equal(terminalTrouble(`ls ${character} -l`), code);
      assert.equal(terminalTrouble(`ls -l${character}`), code);
    }
  });

  it('goes to a terminal only if a small window shows it whole', () => {
    const tooLong = [
      `echo hi\n${'\n'.repeat(1200)}rm -rf /`,
      `echo hi${' '.repeat(2000)}; rm -rf /`,
      'x'.repeat(541),
      '你'.repeat(271),
      'x\n'.repeat(19),
      `${'x'.repeat(31)}\n`.repeat(10),
    ];
    for (const code of tooLong) assert.equal(terminalTrouble(code), 'tooLong', code);
    assert.equal(terminalTrouble(`echo hi${'\n'.repeat(1200)}`), undefined);
  });

  it('is a shell’s for shells alone', () => {
    assert.deepEqual(['bash', 'SH', 'pwsh', 'zsh'].map(isShellLanguage), [true, true, true, true]);
    assert.deepEqual(['', 'console', 'python', 'toString'].map(isShellLanguage), [false, false, false, false]);
  });
});
