import assert from 'node:assert/strict';
import type { LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import { codeLanguages, languageName, toCodeLanguage } from '../../../../webview/markdown/codeLanguages';

describe('the languages of code that is coloured', () => {
  it('are known by the words the highlighter knows them by, and some more', async () => {
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

  it('are named as a person writes them, others as the answer does', () => {
    const names = ['ts', 'SH', 'html', 'c++', 'cobol', 'constructor'].map(languageName);
    assert.deepEqual(names, ['TypeScript', 'Bash', 'HTML', 'C++', 'cobol', 'constructor']);
    assert.equal(toCodeLanguage('__proto__'), undefined);
  });
});
