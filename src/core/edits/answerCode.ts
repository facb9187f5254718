import { fenceOpenedBy, fencesAfter, type OpenFence } from '../../protocol/fences';
import { isPatch, type Patch, readPatches } from './patch';

/** A code block of an answer, and what the answer says about the file it belongs to. */
export interface AnswerCode {
  /** With `\n` as line ends, without the indentation of its fence. */
  readonly code: string;
  readonly language: string;
  /** All of the line after the opening fence. */
  readonly info: string;
  /** The last line of text above the fence; empty if there is none. */
  readonly above: string;
  /** Whether the closing fence is there. */
  readonly isClosed: boolean;
}

/** A line that opens a fence, also as an item of a list. */
const fenceLine = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)((`{3,}|~{3,}).*)$/;

/** Returns the fenced code blocks of an answer in order. A fence in a Markdown file may contain others. Reads each line once. */
export function codeBlocksIn(text: string): readonly AnswerCode[] {
  const blocks: AnswerCode[] = [];
  let above = '';
  let open:
    | {
        readonly info: string;
        readonly indent: number;
        fences: readonly OpenFence[];
        readonly lines: string[];
        readonly above: string;
      }
    | undefined;
  const finish = (isClosed: boolean) => {
    if (!open) return;
    const { info, lines } = open;
    blocks.push({
      code: lines.map((line) => `${line}\n`).join(''),
      language: languageIn(info),
      info,
      above: open.above,
      isClosed,
    });
    open = undefined;
  };
  const all = text.split(/\r?\n/);
  for (const [at, line] of all.entries()) {
    if (!open) {
      const [, indent = '', fenced = '', mark = ''] = fenceLine.exec(line) ?? [];
      const fence = fenceOpenedBy(fenced);
      if (fence) {
        open = { info: fenced.slice(mark.length).trim(), indent: indent.length, fences: [fence], lines: [], above };
        above = '';
      } else if (line.trim() !== '') above = line.trim();
      continue;
    }
    const inside = withoutIndent(line, open.indent);
    open.fences = fencesAfter(inside, open.fences, (step) => all[at + step]);
    if (open.fences.length === 0) finish(true);
    else open.lines.push(inside);
  }
  finish(false);
  return blocks;
}

function withoutIndent(line: string, most: number): string {
  let at = 0;
  while (at < most && (line[at] === ' ' || line[at] === '\t')) at++;
  return line.slice(at);
}

function languageIn(info: string): string {
  const first = info.split(/[\s:{,]/, 1)[0] ?? '';
  return pathIn(first) === undefined || /^[\w+#-]+$/.test(first) ? first : '';
}

/** A path that an answer names for a code block. `isClear`: it names nothing else, so it may be that of a new file. */
export interface NamedPath {
  readonly path: string;
  readonly isClear: boolean;
}

/** Returns the paths that an answer names for a block, the most reliable first, as relative paths with `/`. */
export function namedPaths({ info, above, code }: AnswerCode): readonly NamedPath[] {
  const found = [...inInfo(info), ...inLineAbove(above), ...inFirstLine(code)];
  return found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
}

const clear = (path: string | undefined): readonly NamedPath[] => (path === undefined ? [] : [{ path, isClear: true }]);

function inInfo(info: string): readonly NamedPath[] {
  const text = info.slice(0, 500);
  const attribute =
    /(?:^|[\s{,])(?:title|file|filename|file_?path|path|name)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s"'{},]+))/i.exec(
      text,
    );
  if (attribute) return clear(pathIn(attribute[1] ?? attribute[2] ?? attribute[3] ?? ''));
  const parts = text
    .split(/[\s{}()]+/)
    .flatMap((part) => [part, part.replace(/^[\w+#-]+:/, '')].map((one) => one.replace(/^\d+:\d+:/, '')));
  for (const part of parts) {
    const path = pathIn(part);
    if (path !== undefined && (/[./\\]/.test(part) || parts.length > 2)) return clear(path);
  }
  return [];
}

const label =
  /^(?:(?:new |updated? |modified |create |edit )?(?:file(?:name)?|path|in|update|edit|modify|create|add|文件(?:名|路径)?|路径|文件路径|修改|更新|新建|创建|ファイル|파일)\s*[:：]?\s*)?$/i;
const note = /^\s*(?:[:：]|\([^()]{1,40}\)|（[^（）]{1,40}）)*(?:[-–—]\s.{0,80})?\s*[:：]?$/;
/** Words before a path that say that the code belongs to it. */
const into =
  /(?:^|\s)(?:in|into|to|of|for|inside|within|update|updated|edit|edited|modify|modified|change|changed|create|created|replace|rewrite|file|is|at|在|把|将|对|修改|更新|创建|新建)\s*(?:(?:the|your|our|its|new|updated|full|complete|entire|whole|file|文件)\s*)*$/i;

/** Chinese words before a path. */
const chineseWords =
  /^(?:请|我们?|先|再|接着|然后|首先|在|把|将|对|给|到|向|为|于|修改后|更新后|修复后|打开|修改|更新|编辑|替换|新建|新增|创建|添加|重写|以下|下面|这|是|完整|最终|对应|相应|文件|代码|内容|的){1,8}/;

/** Where a path is in Chinese words that no space separates from it, such as "在src/app.ts中添加". */
function withoutChinese(text: string): { readonly start: number; readonly length: number } {
  const [words = ''] = chineseWords.exec(text) ?? [];
  const start = /^[\w.@~/-]/.test(text.slice(words.length)) ? words.length : 0;
  const [path = ''] = /^[^\s]*?\.[A-Za-z][A-Za-z0-9_+-]{0,14}(?=\p{Script=Han}[^./]*$)/u.exec(text.slice(start)) ?? [];
  return { start, length: path === '' ? text.length - start : path.length };
}

/** A line that is a path and nothing else but a label or a note, or a sentence that names one path and says that the code belongs there. */
function inLineAbove(above: string): readonly NamedPath[] {
  if (above.length > 400) return [];
  const marked = above
    .replace(/^(?:#{1,6}\s+|>\s*|[-*+]\s+|\d{1,3}[.)]\s+|(?:step|步骤)\s*\d+\s*[:：.]\s*)+/i, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_]{2,3}/g, '');
  const tokens = [...marked.matchAll(/`([^`]+)`|"([^"]+)"|([^\s`"：，。（）]+)/g)].flatMap((match) => {
    const text = (match[1] ?? match[2] ?? match[3] ?? '').replace(/[:,.;]+$/, '');
    const { start, length } = match[3] === undefined ? { start: 0, length: text.length } : withoutChinese(text);
    const path = pathIn(text.slice(start, start + length));
    const at = match.index + start;
    const end = start === 0 && length === text.length ? match.index + match[0].length : at + length;
    return path === undefined ? [] : [{ path, at, end, isPlain: match[3] !== undefined }];
  });
  if (new Set(tokens.map(({ path }) => path)).size !== 1) return [];
  const [{ path, at, end, isPlain }] = tokens as [(typeof tokens)[number]];
  // Without spaces, it can't be told where the words end and a Chinese name begins.
  const own = isPlain ? path.replace(chineseWords, '') : path;
  if (own !== path || (isPlain && /^\p{Script=Han}+[\w.@/-]/u.test(path)))
    return [...new Set([path, own])].flatMap((one) =>
      pathIn(one) === undefined ? [] : [{ path: one, isClear: false }],
    );
  const before = marked.slice(0, at);
  const after = marked.slice(end).replace(/^[:,.;]+/, (signs) => (signs.includes(':') ? ':' : ''));
  if (label.test(before) && (note.test(after) || /[:：]$/.test(marked))) return clear(path);
  return into.test(before) || chineseWords.test(before) || before.trim() === '' ? [{ path, isClear: false }] : [];
}

function inFirstLine(code: string): readonly NamedPath[] {
  const first = code.slice(0, 300).split('\n', 1)[0]!;
  const comment =
    /^\s*(?:\/\/+|#+|--|;+|%+|\/\*+|<!--)\s*(?:(?:file(?:name)?|path|文件)\s*[:：]\s*)?`?([^\s`]+)`?\s*(?:\([^)]{0,60}\))?\s*(?:\*\/|-->)?\s*$/i.exec(
      first,
    );
  const named = /^\s*#!/.test(first) ? undefined : comment?.[1];
  if (named !== undefined) return clear(pathIn(named));
  // Search and replace blocks follow a line with the path.
  return /\n\s*<{5,9}\s*(?:SEARCH|ORIGINAL)\b/.test(code.slice(0, 600)) ? clear(pathIn(first.trim())) : [];
}

const bare =
  /^(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|Rakefile|Procfile|Vagrantfile|Brewfile|Justfile|LICENSE|README|CODEOWNERS|\.[a-z][\w.-]*)$/i;

/** Returns text as a relative path with `/`, or `undefined` if it isn't one, or leads out of the workspace. */
export function pathIn(text: string): string | undefined {
  const path = text
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
  if (path.length === 0 || path.length > 260 || !/^[\p{L}\p{N}_@.+\-()[\]/ $~]+$/u.test(path)) return undefined;
  const parts = path.split('/');
  if (
    parts.some((part) => part === '' || part === '..' || part === '.' || part.startsWith('~') || part.trim() !== part)
  )
    return undefined;
  const name = parts.at(-1)!;
  if (/\s/.test(name) && parts.length === 1) return undefined;
  const hasEnding = /[^.]\.[A-Za-z][A-Za-z0-9_+-]{0,14}$/.test(name) && !/^\d/.test(name.split('.').at(-1)!);
  return hasEnding || bare.test(name) ? path : undefined;
}

/** The file that a code block belongs to: one of the workspace, a new one, or the user has to choose. Paths are relative to the workspace. */
export type CodeTarget = { readonly kind: 'file' | 'newFile'; readonly path: string } | { readonly kind: 'unknown' };

/**
 * Decides the target of a block. `filesNamed` returns the workspace's files whose path is the given one or ends with it. `attached` are the
 * files that were sent with the question; a block that names no file belongs to one of them only if no other is of its language.
 */
export function decideTarget(
  block: AnswerCode,
  attached: readonly string[],
  filesNamed: (path: string) => readonly string[],
): CodeTarget {
  const names = namedPaths(block);
  for (const { path } of names) {
    const files = filesNamed(path);
    const chosen =
      files.length > 1
        ? onlyOne([files.filter((file) => file === path), files.filter((file) => attached.includes(file))])
        : files[0];
    if (chosen !== undefined) return { kind: 'file', path: chosen };
    if (files.length > 1) return { kind: 'unknown' };
  }
  const fresh = names.find(({ isClear }) => isClear);
  if (fresh) return { kind: 'newFile', path: fresh.path };
  if (names.length > 0) return { kind: 'unknown' };
  const fitting = [...new Set(attached)].filter((file) => isOfLanguage(file, block));
  return fitting.length === 1 ? { kind: 'file', path: fitting[0]! } : { kind: 'unknown' };
}

function onlyOne(groups: readonly (readonly string[])[]): string | undefined {
  return groups.find((group) => group.length === 1)?.[0];
}

/** Names of one language, or of languages that answers mix up. */
const languages: readonly (readonly string[])[] = [
  [
    'ts',
    'tsx',
    'mts',
    'cts',
    'js',
    'jsx',
    'mjs',
    'cjs',
    'typescript',
    'javascript',
    'typescriptreact',
    'javascriptreact',
  ],
  ['py', 'pyi', 'python', 'python3'],
  ['sh', 'bash', 'zsh', 'shell', 'shellscript'],
  ['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh', 'c++', 'objc', 'objective-c', 'mm', 'm'],
  ['cs', 'csharp', 'c#'],
  ['rs', 'rust'],
  ['rb', 'ruby'],
  ['go', 'golang'],
  ['kt', 'kts', 'kotlin'],
  ['md', 'markdown', 'mdx'],
  ['yml', 'yaml'],
  ['json', 'jsonc', 'json5'],
  ['html', 'htm', 'vue', 'svelte', 'astro', 'xml', 'xhtml'],
  ['css', 'scss', 'less', 'sass'],
  ['ps1', 'powershell', 'pwsh'],
  ['hs', 'haskell'],
  ['ex', 'exs', 'elixir'],
  ['fs', 'fsharp', 'f#'],
  ['pl', 'perl'],
  ['jl', 'julia'],
  ['tf', 'terraform', 'hcl'],
  ['php', 'html'],
  ['txt', 'text', 'plaintext'],
];

function isOfLanguage(file: string, { code, language }: AnswerCode): boolean {
  if (language === '' || isPatch(code, language)) return true;
  const name = language.toLowerCase();
  const ending = /\.([^./]+)$/.exec(file)?.[1]?.toLowerCase() ?? file.split('/').at(-1)!.toLowerCase();
  return name === ending || languages.some((group) => group.includes(name) && group.includes(ending));
}

/** Returns the parts of a diff that names several files, or one file, or none for other code. */
export function patchesIn({ code, language }: AnswerCode): readonly Patch[] {
  return isPatch(code, language) ? readPatches(code) : [];
}
