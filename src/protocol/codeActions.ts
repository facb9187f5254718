/** What can be done with a code block of an answer, in the editor. */
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
