import assert from 'node:assert/strict';
import type { LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import { codeLanguages, languageName, toCodeLanguage } from '../../../../webview/markdown/codeLanguages';

describe('the languages of highlighted code', () => {
  it('are known by the names of the highlighter, and some more', async () => {
    for (const [language, { name, aliases }] of Object.entries(codeLanguages)) {
      const { default: define } = (await import(`highlight.js/lib/languages/${language}`)) as { default: LanguageFn };
      const definition = define(hljs);
      assert.equal(name, definition.name?.split(',')[0]);
      const words: readonly string[] = aliases;
      assert.deepEqual(
        (definition.aliases ?? []).filter((word) => !words.includes(word)),
        [],
        language,
      );
    }
  });

  it('are displayed by their usual names, and unknown ones as in the answer', () => {
    const names = ['ts', 'SH', 'html', 'c++', 'cobol', 'constructor'].map(languageName);
    assert.deepEqual(names, ['TypeScript', 'Bash', 'HTML', 'C++', 'cobol', 'constructor']);
    assert.equal(toCodeLanguage('__proto__'), undefined);
  });
});
