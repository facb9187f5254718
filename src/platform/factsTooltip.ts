import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { foreignLines } from '../core/text/foreignText';
import { joined, markdown } from './notify';

/** Maximum characters of a service's text: longer ones can be read elsewhere. */
const longestValue = 600;

/** A label and its value in a tooltip. Without a value, the fact is omitted. */
export type Fact = readonly [label: string, value: string | undefined];

/**
 * Returns the tooltip of a row: its title and one line per fact. Titles and values may come from a service, so they are not interpreted as
 * Markdown.
 */
export function factsTooltip(
  title: string,
  facts: readonly Fact[],
  notes: readonly string[] = [],
): vscode.MarkdownString {
  const lines = facts.flatMap(([label, value]) =>
    value === undefined ? [] : [l10n.t('{0}: {1}', label, foreignLines(value, longestValue))],
  );
  const paragraphs = [...(lines.length === 0 ? [] : [lines.join('\n')]), ...notes];
  return joined([markdown`**${foreignLines(title, longestValue)}**`, ...paragraphs.map((text) => markdown`${text}`)]);
}
