import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(['shell', 'console', 'shellsession'], { languageName: 'bash' });
hljs.registerAliases(['vue', 'svelte'], { languageName: 'xml' });
hljs.registerAliases(['jsonl', 'json5'], { languageName: 'json' });

/** Longer code stays plain: colouring costs about 2 ms per 100 lines, in one go. */
const maxHighlighted = 40_000;

/** Themes colour the words that declare something, or say how, unlike those that say what happens next. */
const declaring =
  /<span class="hljs-keyword">(abstract|async|class|const|def|enum|extends|final|fn|func|function|impl|implements|interface|lambda|let|local|mut|namespace|private|protected|pub|public|readonly|static|struct|trait|type|typedef|union|var|virtual)<\/span>/g;

/** Code as HTML with `hljs-*` spans, or `undefined` for a language we do not know or code too long to colour. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > maxHighlighted || !hljs.getLanguage(language)) return undefined;
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return value.replace(declaring, '<span class="hljs-keyword hljs-storage">$1</span>');
}

/** A language as a person writes it ("TypeScript" for `ts`); one we do not know stays as the answer wrote it. */
export function languageName(language: string): string {
  const aliases = hljs.getLanguage(language)?.name ?? language;
  return aliases.split(',', 1)[0] ?? language;
}
