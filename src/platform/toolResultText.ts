import * as vscode from 'vscode';

/** About 25,000 tokens: with most models, more leaves little space for the conversation. */
export const mostResultCharacters = 100_000;

/**
 * Converts a tool's result to one text, as sent back to the model. Parts that are not text are named; a text that is too long is cut, with
 * a note.
 */
export function toResultText(parts: readonly unknown[]): string {
  const text = parts
    .map(partText)
    .filter((part) => part !== '')
    .join('\n\n');
  return bounded(text);
}

export function bounded(text: string): string {
  if (text.length <= mostResultCharacters) return text;
  // Do not cut a surrogate pair in half.
  const end = /[\ud800-\udbff]/.test(text.charAt(mostResultCharacters - 1))
    ? mostResultCharacters - 1
    : mostResultCharacters;
  return `${text.slice(0, end)}\n\n[Truncated after ${end} of ${text.length} characters.]`;
}

/** Always English, like everything that only models read. */
export function partText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return promptText(part.value);
  if (part instanceof vscode.LanguageModelDataPart) return dataText(part);
  return typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
}

function dataText({ data, mimeType }: vscode.LanguageModelDataPart): string {
  if (/^text\/|[/+]json\b|[/+]xml\b/i.test(mimeType)) return new TextDecoder().decode(data);
  return `[${mimeType}, ${data.byteLength} bytes: cannot be shown as text]`;
}

/** Returns the texts of a rendered prompt, in order. https://github.com/microsoft/vscode-prompt-tsx, `JSONTree` */
function promptText(value: unknown): string {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    else if (typeof node === 'object' && node !== null) {
      const { text, node: inner, children } = node as Readonly<Record<string, unknown>>;
      if (typeof text === 'string') texts.push(text);
      visit(inner);
      visit(children);
    }
  };
  visit(value);
  return texts.length > 0 ? texts.join('') : (JSON.stringify(value) ?? '');
}
