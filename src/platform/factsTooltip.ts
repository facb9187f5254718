import * as vscode from 'vscode';
import { foreignLines } from '../core/text/foreignText';
import { joined, markdown } from './notify';

/** Of a service's own words: what is longer is read elsewhere. */
const longestValue = 600;

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
    value === undefined ? [] : [vscode.l10n.t('{0}: {1}', label, foreignLines(value, longestValue))],
  );
  const paragraphs = [...(lines.length === 0 ? [] : [lines.join('\n')]), ...notes];
  return joined([markdown`**${foreignLines(title, longestValue)}**`, ...paragraphs.map((text) => markdown`${text}`)]);
}
