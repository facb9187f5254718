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
