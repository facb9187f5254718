import { oneLine } from './altText';
import type { Reference } from './insertReference';
import type { AssetKind } from './recipe';

export type InsertForm = 'markdown' | 'html' | 'import' | 'css' | 'latex' | 'restructuredText' | 'asciiDoc' | 'path';

/** The data for the text inserted for a file. */
export interface Inserted {
  readonly kind: AssetKind;
  readonly name: string;
  readonly reference: Reference;
  /** Describes the file. Can be empty. */
  readonly alt: string;
  /** Pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

interface Form {
  readonly kinds: readonly AssetKind[];
  readonly write: (inserted: Inserted) => string;
}

const everyKind: readonly AssetKind[] = ['image', 'video', 'speech'];

const forms: Readonly<Record<InsertForm, Form>> = {
  markdown: { kinds: everyKind, write: toMarkdown },
  html: { kinds: everyKind, write: toHtml },
  import: { kinds: everyKind, write: toImport },
  css: { kinds: ['image'], write: ({ reference }) => `url('${reference.url}')` },
  latex: { kinds: ['image'], write: toLatex },
  restructuredText: { kinds: everyKind, write: toRestructuredText },
  asciiDoc: { kinds: everyKind, write: toAsciiDoc },
  path: { kinds: everyKind, write: ({ reference }) => reference.path },
};

/** Returns the text in one form; its further lines must be indented like the first. */
export function insertText(form: InsertForm, inserted: Inserted): string {
  return forms[form].write({ ...inserted, alt: oneLine(inserted.alt) });
}

const ofLanguages: readonly (readonly [forms: readonly InsertForm[], languages: readonly string[]])[] = [
  [
    ['markdown', 'html'],
    ['markdown', 'mdx', 'quarto', 'rmd', 'markdown-math', 'prompt', 'instructions', 'chatagent'],
  ],
  [
    ['import', 'html'],
    ['javascriptreact', 'typescriptreact', 'vue', 'svelte', 'astro'],
  ],
  [['import'], ['javascript', 'typescript', 'coffeescript']],
  [
    ['html'],
    [
      'html',
      'vue-html',
      'handlebars',
      'razor',
      'php',
      'blade',
      'erb',
      'twig',
      'jinja',
      'jinja-html',
      'django-html',
      'xml',
    ],
  ],
  [['css'], ['css', 'scss', 'sass', 'less', 'stylus', 'postcss', 'tailwindcss']],
  [['latex'], ['latex', 'tex', 'latex-expl3', 'doctex']],
  [['restructuredText'], ['restructuredtext']],
  [['asciiDoc'], ['asciidoc', 'adoc']],
];

/** Returns the forms that fit the document's language, best first, and the others; together, all forms that can show this kind of file. */
export function insertFormsFor(
  languageId: string,
  kind: AssetKind,
): { readonly fitting: readonly InsertForm[]; readonly others: readonly InsertForm[] } {
  const shows = (form: InsertForm) => forms[form].kinds.includes(kind);
  const own = ofLanguages.find(([, languages]) => languages.includes(languageId))?.[0] ?? [];
  // Markdown has no syntax for audio and video, so they are written as HTML, which its previews show.
  const ordered = kind === 'image' || own[0] !== 'markdown' ? own : own.toReversed();
  const fitting = [...ordered.filter(shows), 'path' as const];
  const others = (Object.keys(forms) as InsertForm[]).filter((form) => shows(form) && !fitting.includes(form));
  return { fitting, others };
}

function toMarkdown({ kind, name, reference, alt }: Inserted): string {
  const words = (alt || (kind === 'image' ? '' : name)).replaceAll(/[\\[\]`*_<>&~|${}!]/g, String.raw`\$&`);
  return `${kind === 'image' ? '!' : ''}[${words}](${reference.url})`;
}

function toHtml({ kind, reference, alt, width, height }: Inserted): string {
  const attributes = (pairs: Readonly<Record<string, string | number | undefined>>): string =>
    Object.entries(pairs)
      .map(([name, value]) => (value === undefined ? '' : ` ${name}="${inAttribute(String(value))}"`))
      .join('');
  const src = reference.url;
  const label = alt === '' ? undefined : alt;
  if (kind === 'image') return `<img${attributes({ src, alt, width, height })} />`;
  if (kind === 'video') return `<video controls${attributes({ src, width, height, 'aria-label': label })}></video>`;
  return `<audio controls${attributes({ src, 'aria-label': label })}></audio>`;
}

/** Escapes braces too, because some templates evaluate code in them. */
function inAttribute(text: string): string {
  return text.replaceAll(/[&"'<>{}]/g, numbered);
}

function numbered(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

function toImport({ kind, name, reference }: Inserted): string {
  const { path, url, isRelative } = reference;
  const from = !isRelative ? url : path.startsWith('../') ? path : `./${path}`;
  const quoted = from
    .replaceAll(/[\\']/g, String.raw`\$&`)
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
  return `import ${importNameOf(name, kind)} from '${quoted}';`;
}

const latexWords: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
};

function toLatex({ reference, alt }: Inserted): string {
  const words = alt.replaceAll(/[\\~^{}#$%&_]/g, (character) => latexWords[character] ?? `\\${character}`);
  const file = reference.path.replaceAll(/[#%{}]/g, String.raw`\$&`);
  return String.raw`\includegraphics[width=\linewidth${words === '' ? '' : `,alt={${words}}`}]{${file}}`;
}

function toRestructuredText(inserted: Inserted): string {
  const { kind, reference, alt } = inserted;
  if (kind !== 'image') return `.. raw:: html\n\n   ${toHtml(inserted)}\n`;
  return `.. image:: ${reference.url}${alt === '' ? '' : `\n   :alt: ${alt}`}`;
}

function toAsciiDoc({ kind, reference, alt, width, height }: Inserted): string {
  const size = { width, height };
  const pairs = Object.entries(size).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  if (kind === 'speech') return `audio::${reference.url}[]`;
  if (kind === 'video') return `video::${reference.url}[${pairs.join(',')}]`;
  // Quoted, so that a comma does not end it; names in braces would be substituted.
  const words = `"${alt.replaceAll(/["\\{}]/g, numbered)}"`;
  return `image::${reference.url}[${[words, ...pairs].join(',')}]`;
}

/** Names a module cannot bind: the language's reserved words and those of strict mode. */
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public ' +
    'return static super switch this throw true try typeof undefined var void while with yield NaN Infinity'
  ).split(' '),
);

/** Returns the JavaScript identifier for importing the file: its name without hash and ending. */
export function importNameOf(fileName: string, kind: AssetKind): string {
  const name = fileName
    .normalize('NFC')
    .replace(/(?!^)\.[^.]*$/u, '')
    .replace(/-[0-9a-f]{12}$/, '');
  const words = name.split(/[^\p{ID_Continue}]+/u).filter((word) => word !== '');
  const joined = words.map((word, index) => (index === 0 ? lowered(word) : raised(word))).join('');
  if (joined === '') return kind;
  if (!/^[\p{ID_Start}_]/u.test(joined)) return kind + joined;
  return reserved.has(joined) ? joined + raised(kind) : joined;
}

function lowered(word: string): string {
  const [first = '', ...rest] = word;
  return first.toLowerCase() + rest.join('');
}

function raised(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}
