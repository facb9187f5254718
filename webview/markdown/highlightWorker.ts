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
import type { CodeLanguage } from './codeLanguages';
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
  /<span class="hljs-keyword">(abstract|async|auto|class|const|def|enum|explicit|extends|final|fn|func|function|impl|implements|interface|lambda|let|local|mut|namespace|private|protected|pub|public|readonly|record|static|struct|template|trait|type|typedef|typename|union|var|virtual|void)<\/span>/g;

/** Languages whose names have colors in VS Code. The highlighter leaves most of them plain. */
const withNames: ReadonlySet<CodeLanguage> = new Set([
  'c',
  'cpp',
  'csharp',
  'go',
  'java',
  'javascript',
  'rust',
  'typescript',
]);
const parts = /<span class="([^"]*)">|<\/span>|[^<]+/g;
/** What the highlighter puts around other code, without coloring it. */
const containers = /^hljs-(?:params|subst|function)\b/;
/** An entity, or a name after the names of its objects, and whether it is called or contains names. */
const names = /&#?\w+;|((?:[A-Za-z_$][\w$]*\??\.)*)([A-Za-z_$][\w$]*)(?=(\s*\()?(::)?)/g;
/** A class or another type, in languages that begin only these with a capital. */
const typeName = /^[A-Z]\w*[a-z]/;
/** Names in Python: of arguments in calls, as it is formatted, of parameters where it declares them, and of exceptions. */
const pythonNames = /\b[a-z_]\w*(?==(?![=\s]))|\b[A-Z]\w*(?:Error|Exception|Warning)\b/g;
const pythonParameters = /(?<=(?:^|,)\s*\*{0,2})[a-z_]\w*/g;
/** A built-in type rather than a function. */
const builtInType = /<span class="hljs-built_in">(?=\w+<\/span>(?!\())/g;

/** Classes of the highlighter, and those whose color VS Code gives to the same code. */
const otherClasses: Partial<Readonly<Record<CodeLanguage, readonly [string, string]>>> = {
  sql: ['hljs-keyword"', 'hljs-keyword hljs-storage"'],
  xml: ['hljs-attr"', 'hljs-attribute"'],
  yaml: ['hljs-attr"', 'hljs-name"'],
};

/** Marks what has a color in VS Code's grammar of the language, and none or another one in the highlighter's. */
function refine(html: string, language: CodeLanguage): string {
  const classes = otherClasses[language];
  if (classes) return html.replaceAll(...classes);
  // The built-in commands of a shell are no types.
  return language === 'bash' ? html : markNames(html.replace(builtInType, '<span class="hljs-type">'), language);
}

function markNames(html: string, language: CodeLanguage): string {
  const open: string[] = [];
  const isTyped = language !== 'go';
  const mark = (all: string, objects?: string, name = '', call?: string, scope?: string): string => {
    if (name === '') return all;
    const kind = scope || (call === undefined && isTyped && typeName.test(name)) ? 'type' : call ? 'title' : 'variable';
    const before = objects ? span('variable', objects) : '';
    return kind === 'variable' ? span(kind, all) : before + span(kind, name);
  };
  return html.replace(parts, (part, className?: string) => {
    if (part === '</span>') open.pop();
    else if (className !== undefined) open.push(className);
    else if (!containers.test(open.at(-1) ?? 'hljs-function')) return part;
    else if (withNames.has(language)) return part.replace(names, mark);
    else if (language === 'python') {
      const pattern = open.at(-1)?.startsWith('hljs-params') ? pythonParameters : pythonNames;
      return part.replace(pattern, (name) => span(typeName.test(name) ? 'type' : 'variable', name));
    }
    return part;
  });
}

function span(kind: 'type' | 'title' | 'variable', text: string): string {
  return `<span class="hljs-${kind}">${text}</span>`;
}

/** Inserting more would block the page itself for too long. */
const maxSpans = 10_000;

/** Returns the code as text and `<span class>`s; `undefined` if there are too many of these. */
function highlight({ code, language }: CodeToColour): string | undefined {
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  const html = value.replace(declaring, '<span class="hljs-keyword hljs-storage">$1</span>');
  const marked = markDirectionControls(refine(html, language));
  return marked.split('<span').length > maxSpans ? undefined : marked;
}

addEventListener('message', ({ data }: MessageEvent<CodeToColour>) => postMessage(highlight(data)));
postMessage(undefined);
