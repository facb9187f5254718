import * as vscode from 'vscode';
import { joined, markdown } from './notify';

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
  const lines = facts.flatMap(([label, value]) =>
    value === undefined ? [] : [vscode.l10n.t('{0}: {1}', label, value)],
  );
  const paragraphs = [...(lines.length === 0 ? [] : [lines.join('\n')]), ...notes];
  return joined([markdown`**${title}**`, ...paragraphs.map((text) => markdown`${text}`)]);
}
