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
import type { CodeToColour } from './codeColours';
import { markDirectionControls } from './invisible';

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

/** Themes color keywords that declare or modify something unlike those that control the flow. */
const declaring =
  /<span class="hljs-keyword">(abstract|async|class|const|def|enum|extends|final|fn|func|function|impl|implements|interface|lambda|let|local|mut|namespace|private|protected|pub|public|readonly|static|struct|trait|type|typedef|union|var|virtual)<\/span>/g;

/** Inserting more would block the page itself for too long. */
const maxSpans = 10_000;

/** Returns the code as text and `<span class>`s; `undefined` if there are too many of these. */
function highlight({ code, language }: CodeToColour): string | undefined {
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  const html = value.replace(declaring, '<span class="hljs-keyword hljs-storage">$1</span>');
  const marked = markDirectionControls(html);
  return marked.split('<span').length > maxSpans ? undefined : marked;
}

addEventListener('message', ({ data }: MessageEvent<CodeToColour>) => postMessage(highlight(data)));
postMessage(undefined);
