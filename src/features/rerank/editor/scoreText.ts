import * as vscode from 'vscode';
import { scoreText } from '../../../core/ranking/scoreText';
import type { TrackedPart } from '../../../core/ranking/trackedParts';
import { numberText, shortened } from '../../../platform/displayText';
import { joined, markdown } from '../../../platform/notify';

/** Score of one part. */
export interface PartScore {
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  /** 0 to 4, 4 being the best. */
  readonly level: number;
}

export interface ScoreFacts {
  readonly query: string;
  readonly model: string;
  /** Number of parts with a score. */
  readonly count: number;
}

/** Nobody reads more in a hover. */
const queryChars = 400;

export function lineText({ score, rank }: PartScore, { isOld }: TrackedPart): string {
  const text = `${scoreText(score, vscode.env.language)} · #${numberText(rank, vscode.env.language)}`;
  return isOld ? vscode.l10n.t('{0} · outdated', text) : text;
}

export function scoreHover(
  { score, rank }: PartScore,
  { isOld }: TrackedPart,
  { query, model, count }: ScoreFacts,
): vscode.MarkdownString {
  const language = vscode.env.language;
  const title = vscode.l10n.t('Rank {0} of {1}', numberText(rank, language), numberText(count, language));
  const facts = [
    vscode.l10n.t('Score: {0}', score),
    vscode.l10n.t('Query: {0}', shortened(query, queryChars)),
    vscode.l10n.t('Model: {0}', model),
  ];
  const notes = isOld ? [vscode.l10n.t('The text has changed since it was scored.')] : [];
  return joined([markdown`**${title}**`, ...[facts.join('\n'), ...notes].map((text) => markdown`${text}`)]);
}
