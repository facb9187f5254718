import type { Attachment } from '../question';

/** The kind of text, which decides how it is parsed. */
export type Family = 'python' | 'script' | 'json' | 'markdown' | 'other';

export interface Source {
  /** File name without its folders; empty if there is none. */
  readonly name: string;
  readonly family: Family;
  /** Display name: `Python`, `TypeScript`, … */
  readonly called: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** The lines with the contents of strings and comments blanked; each has the length of the original line. */
  readonly bare: readonly string[];
  /** The number of the first line in its file, from 1. */
  readonly firstLine: number;
}

const families: Readonly<Record<string, readonly [Family, string]>> = {
  py: ['python', 'Python'],
  python: ['python', 'Python'],
  ts: ['script', 'TypeScript'],
  tsx: ['script', 'TypeScript'],
  mts: ['script', 'TypeScript'],
  typescript: ['script', 'TypeScript'],
  typescriptreact: ['script', 'TypeScript'],
  js: ['script', 'JavaScript'],
  jsx: ['script', 'JavaScript'],
  mjs: ['script', 'JavaScript'],
  javascript: ['script', 'JavaScript'],
  javascriptreact: ['script', 'JavaScript'],
  json: ['json', 'JSON'],
  jsonc: ['json', 'JSON'],
  md: ['markdown', 'Markdown'],
  markdown: ['markdown', 'Markdown'],
};
const plain = new Set(['', 'text', 'txt', 'plaintext', 'csv', 'tsv', 'log', 'jsonl']);

function sniffed(text: string): readonly [Family, string] | undefined {
  if (/^\s*[{[][\s\S]*[}\]]\s*$/.test(text) && /^\s*(?:[{[]\s*(?:["'{[\d}\]]|$))/.test(text)) return families['json'];
  if (
    /^\s*(?:async )?def \w+\(.*|^\s*class \w+.*:\s*$|^from [\w.]+ import |^\s*(?:for \w+ in|while|if) [^{;]+:/m.test(
      text,
    ) &&
    !/[{;]\s*$/m.test(text)
  )
    return families['python'];
  if (/\b(?:function|const|let|export|interface)\b[^\n]*[{;=]/.test(text))
    return /:\s*(?:string|number|boolean|unknown|any)\b|\binterface\b/.test(text) ? families['ts'] : families['js'];
  return /^#{1,6} \S/m.test(text) ? families['markdown'] : undefined;
}

/** Reads an attachment as code or structured text; `undefined` for running text. */
export function readSource({ name = '', language = '', text, firstLine = 1 }: Attachment): Source | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = families[language] ?? families[extension] ?? (plain.has(language) ? sniffed(text) : undefined);
  if (known === undefined && plain.has(language)) return undefined;
  const [family, called] = known ?? ['other', language];
  const body = text.replace(/\n+$/, '');
  const isCode = family !== 'markdown' && family !== 'json';
  return {
    name: name.replace(/^.*[/\\]/, ''),
    family,
    called,
    text: body,
    lines: body.split('\n'),
    bare: (isCode ? blanked(body, family === 'python') : body).split('\n'),
    firstLine,
  };
}

const pythonQuiet = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*/g;
const scriptQuiet =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=(?:^|[=(,:;!&|?{}[\n>]|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** Blanks strings and comments, but keeps quotes, so that a string is still recognisable. */
function blanked(text: string, isPython: boolean): string {
  return text.replace(isPython ? pythonQuiet : scriptQuiet, (found) => {
    const quote = /^["'`/]/.test(found) && !/^\/[*/]/.test(found);
    const inner = (quote ? found.slice(1, -1) : found).replace(/[^\n]/g, ' ');
    return quote ? `${found[0] ?? ''}${inner}${found.at(-1) ?? ''}` : inner;
  });
}

/** Returns the index of the bracket that closes the one at `open`; -1 if there is none. */
export function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

export const indentOf = (line: string): number => /^\s*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;

/** Formats code for use in a sentence, truncated if long. */
export function inCode(text: string, most = 72): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const shown = line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}

export const fenced = (language: string, text: string): string => {
  const fence = '`'.repeat(
    [...text.matchAll(/`+/g)].map(([run]) => run.length + 1).reduce((most, one) => Math.max(most, one), 3),
  );
  return `${fence}${language}\n${text}\n${fence}`;
};

export const fenceOf = ({ called }: Source): string => called.toLowerCase();
