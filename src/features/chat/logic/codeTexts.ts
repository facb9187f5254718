/** Language names used in answers whose editor id differs. */
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

/** Returns the editor's id for a language named in an answer; `undefined` if the editor does not know it. */
export function toLanguageId(language: string, known: readonly string[]): string | undefined {
  const name = language.toLowerCase();
  const id = Object.hasOwn(languageIds, name) ? languageIds[name] : name;
  return id !== undefined && known.includes(id) ? id : undefined;
}

/** A code block ends with a line feed; removes it if the replaced text has none. */
export function fitEnd(code: string, replaced: string): string {
  return replaced.endsWith('\n') ? code : code.replace(/\r?\n$/, '');
}

/** A position in a document; `lineAt` returns a line without its line ending, or `undefined` outside the document. */
export interface CodePlace {
  readonly line: number;
  readonly column: number;
  readonly lineAt: (index: number) => string | undefined;
}

/**
 * Puts code on separate lines, indented like the position: replaces a blank line, goes before a line if the cursor isn't past its
 * indentation, or else after it. `from` and `to` are the columns of that line which `text` replaces.
 */
export function placeCode(code: string, location: CodePlace): { from: number; to: number; text: string } {
  const line = location.lineAt(location.line) ?? '';
  const indent = leading(line);
  if (indent.length === line.length) {
    return { from: 0, to: line.length, text: indented(code, line === '' ? indentAround(location) : indent) };
  }
  const text = indented(code, indent);
  if (location.column <= indent.length) return { from: 0, to: 0, text: `${text}\n` };
  return { from: line.length, to: line.length, text: `\n${text}` };
}

function leading(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Indentation for an empty line: the smaller one of the nearest non-blank lines above and below. */
function indentAround({ line, lineAt }: CodePlace): string {
  const next = (step: 1 | -1): string => {
    for (let index = line + step; ; index += step) {
      const text = lineAt(index);
      if (text === undefined) return '';
      if (text.trim() !== '') return leading(text);
    }
  };
  const [above, below] = [next(-1), next(1)];
  return above.length < below.length ? above : below;
}

/** Replaces the common indentation of the code with `indent`, without its final line feed. */
function indented(code: string, indent: string): string {
  const lines = fitEnd(code, '').split(/\r?\n/);
  const own = lines
    .flatMap((line) => (line.trim() === '' ? [] : [leading(line).length]))
    .reduce((least, one) => Math.min(least, one), Infinity);
  return lines.map((line) => (line.trim() === '' ? '' : indent + line.slice(own))).join('\n');
}
