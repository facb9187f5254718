/** A text that Markdown shows as it is, its lines and indents too. Unlike `appendText` it lets long lines wrap between words. */
export function plainMarkdown(text: string): string {
  return text
    .replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
    .split(/\r?\n|\r/)
    .map((line) => line.replace(/^[ \t]+/, (indent) => '&nbsp;'.repeat(indent.replaceAll('\t', '  ').length)))
    .join('  \n')
    .replaceAll(/\n(?: {2}\n)+/g, '\n\n');
}
