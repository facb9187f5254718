/** The actions for a code block of an answer in VS Code. */
export const codeActions = ['insert', 'replace', 'newFile', 'run'] as const;
export type CodeAction = (typeof codeActions)[number];

/** Languages whose code a terminal accepts unchanged. Transcripts with prompts and output (`console`) are not among them. */
const shellLanguages: ReadonlySet<string> = new Set([
  'bash',
  'fish',
  'powershell',
  'ps1',
  'pwsh',
  'sh',
  'shell',
  'shellscript',
  'zsh',
]);

export function isShellLanguage(language: string): boolean {
  return shellLanguages.has(language.toLowerCase());
}

/** Identifies a code block by its text, without the indentation that its fence has in a list. */
export function codeKey(code: string): string {
  let hash = 0x811c9dc5;
  let length = 0;
  for (const line of code.split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 10, 0x01000193);
    length += text.length + 1;
  }
  return `${length.toString(36)}-${(hash >>> 0).toString(36)}`;
}
