/** Names answers use for a language, where the editor's id is another one. */
const languageIds: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  'c#': 'csharp',
  'c++': 'cpp',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascriptreact',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  ps1: 'powershell',
  pwsh: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
  zsh: 'shellscript',
};

/** The editor's id for a language as an answer names it; `undefined` when the editor knows none. */
export function toLanguageId(language: string, known: readonly string[]): string | undefined {
  const name = language.toLowerCase();
  const id = Object.hasOwn(languageIds, name) ? languageIds[name] : name;
  return id !== undefined && known.includes(id) ? id : undefined;
}

/** A code block ends with a line feed; what it is put in place of may not. */
export function fitEnd(code: string, replaced: string): string {
  return replaced.endsWith('\n') ? code : code.replace(/\r?\n$/, '');
}

/** What the editor's dialog shows without scrolling in a small window, 560 pixels high, however wide the letters are. */
const maxRows = 18;
const rowLength = 30;

/**
 * Characters, other than spaces and line feeds, that are drawn as nothing or as a blank, or that act on the terminal, tabs (which
 * complete) among them. An emoji may have its variation selector.
 */
const unseen =
  /(?![ \n])(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

/** What speaks against putting code into a terminal, a code point (`U+202E`) where it is a character; `undefined`: nothing. */
export function terminalTrouble(code: string): 'empty' | 'tooLong' | `U+${string}` | undefined {
  const text = code.trimEnd();
  if (text === '') return 'empty';
  const character = unseen.exec(code)?.[0].codePointAt(0);
  if (character !== undefined) return `U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = text.split('\n').map((line) => Math.max(1, Math.ceil(widthOf(line) / rowLength)));
  return rows.reduce((sum, count) => sum + count, 0) > maxRows ? 'tooLong' : undefined;
}

/** In columns. Letters that are not Latin may be twice as wide. */
function widthOf(line: string): number {
  return line.length + (line.match(/[^\x20-\x7E]/g)?.length ?? 0);
}
