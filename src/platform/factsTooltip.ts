import * as vscode from 'vscode';

/** What is said of a row: a label and its value. Without a value the fact is left out. */
export type Fact = readonly [label: string, value: string | undefined];

/**
 * The tooltip of a row: its title and one line per fact. Titles and values may come from a service: nothing in them is
 * read as Markdown.
 */
export function factsTooltip(
  title: string,
  facts: readonly Fact[],
  notes: readonly string[] = [],
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown('**').appendText(title).appendMarkdown('**\n\n');
  for (const [label, value] of facts) {
    if (value === undefined) continue;
    tooltip.appendText(vscode.l10n.t('{0}: {1}', label, value)).appendMarkdown('  \n');
  }
  for (const note of notes) tooltip.appendMarkdown('\n\n').appendText(note);
  return tooltip;
}
