/** The languages that are colored, with their display names and the other names that answers use. */
export const codeLanguages = {
  bash: { name: 'Bash', aliases: ['sh', 'zsh', 'shell', 'console', 'shellsession'] },
  c: { name: 'C', aliases: ['h'] },
  cpp: { name: 'C++', aliases: ['cc', 'c++', 'h++', 'hpp', 'hh', 'hxx', 'cxx'] },
  csharp: { name: 'C#', aliases: ['cs', 'c#'] },
  css: { name: 'CSS', aliases: [] },
  diff: { name: 'Diff', aliases: ['patch'] },
  go: { name: 'Go', aliases: ['golang'] },
  java: { name: 'Java', aliases: ['jsp'] },
  javascript: { name: 'JavaScript', aliases: ['js', 'jsx', 'mjs', 'cjs'] },
  json: { name: 'JSON', aliases: ['jsonc', 'json5', 'jsonl'] },
  markdown: { name: 'Markdown', aliases: ['md', 'mkdown', 'mkd'] },
  python: { name: 'Python', aliases: ['py', 'gyp', 'ipython'] },
  rust: { name: 'Rust', aliases: ['rs'] },
  sql: { name: 'SQL', aliases: [] },
  typescript: { name: 'TypeScript', aliases: ['ts', 'tsx', 'mts', 'cts'] },
  xml: {
    name: 'HTML',
    aliases: ['html', 'xhtml', 'rss', 'atom', 'xjb', 'xsd', 'xsl', 'plist', 'wsf', 'svg', 'vue', 'svelte'],
  },
  yaml: { name: 'YAML', aliases: ['yml'] },
} as const;

export type CodeLanguage = keyof typeof codeLanguages;

const byWord: ReadonlyMap<string, CodeLanguage> = new Map(
  (Object.keys(codeLanguages) as CodeLanguage[]).flatMap((language) =>
    [language, ...codeLanguages[language].aliases].map((word) => [word, language] as const),
  ),
);

/** Returns the language that an answer names; `undefined` for one that is not colored. */
export function toCodeLanguage(word: string): CodeLanguage | undefined {
  return byWord.get(word.toLowerCase());
}

/** Returns the display name of a language ("TypeScript" for `ts`); an unknown one stays as the answer wrote it. */
export function languageName(word: string): string {
  const language = toCodeLanguage(word);
  return language === undefined ? word : codeLanguages[language].name;
}
