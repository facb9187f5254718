import type { PromptKey } from './prompt';

/** The text inserted for each key, in the editor's snippet syntax. */
export const keySnippets: Readonly<Record<PromptKey, string>> = {
  description: 'description: ',
  model: 'model: ',
  models: 'models:\n  - ',
  parameters: 'parameters:\n  ',
  system: 'system: |\n  ',
  variables: 'variables:\n  ${1:name}: $0',
};

/** Returns an example prompt file as a snippet. Without a model, it uses the default one. */
export function exampleSnippet(words: {
  readonly description: string;
  readonly model: string | undefined;
  readonly audience: string;
  readonly text: string;
}): string {
  const model = words.model === undefined ? '' : `model: \${2:${inSnippet(words.model)}}\n`;
  return `---
description: \${1:${inSnippet(words.description)}}
${model}variables:
  audience: \${3:${inSnippet(words.audience)}}
---

\${4:${inSnippet(words.text)}}

\`\`\`{{language}}
{{selection}}
\`\`\`
$0`;
}

function inSnippet(text: string): string {
  return text.replaceAll(/[$}\\]/g, String.raw`\$&`);
}
