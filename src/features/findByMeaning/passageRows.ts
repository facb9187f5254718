import { posix } from 'node:path';
import * as vscode from 'vscode';
import { passagesOf } from '../../core/search/find/finding';
import type { ScoredBy } from '../../core/search/find/finding';
import { createFocus } from '../../core/search/focusLine';
import type { FoundPassage, WorkspaceFinding } from '../../services/search/search';
import { numberText } from '../../platform/displayText';
import { foreign } from '../../core/text/foreignText';
import { barsOf, scoreText } from './scoreText';

export interface PassageRow extends vscode.QuickPickItem {
  readonly place?: FoundPassage;
  /** Line in its file, from 0, with the words of the question. */
  readonly line?: number;
}

export const openToSide: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('split-horizontal'),
  get tooltip() {
    return vscode.l10n.t('Open to the Side');
  },
};

const longestSnippet = 300;

/** Returns a row per passage, with separators that say what the scores are. `isRanking`: the ranking is still in progress. */
export function placeRows(
  finding: WorkspaceFinding,
  { isRanking }: { readonly isRanking: boolean },
): readonly PassageRow[] {
  const places = passagesOf(finding);
  const focusOf = createFocus(finding.question);
  const bars = barsOf(places.flatMap(({ score, scoredBy }) => (scoredBy === 'rerank' ? [score] : [])));
  let heading: ScoredBy | undefined;
  return places.flatMap((place, index) => {
    const isNew = place.scoredBy !== heading;
    heading = place.scoredBy;
    const focus = focusOf(place.text);
    const row = toRow(place, { ...focus, line: place.range.start.line + focus.line }, bars[index]);
    return isNew ? [divider(headingWords(place.scoredBy, isRanking)), row] : [row];
  });
}

function toRow(
  place: FoundPassage,
  focus: { readonly line: number; readonly text: string },
  bar: string | undefined,
): PassageRow {
  const { language } = vscode.env;
  const name = `${posix.basename(place.path)}:${focus.line + 1}`;
  const folder = posix.dirname(place.path);
  const score = bar === undefined ? ownScoreWords(place, language) : '';
  return {
    label: bar === undefined ? foreign(name) : `${scoreText(place.score, language)}  ${bar}  ${foreign(name)}`,
    description: [folder === '.' ? '' : foreign(folder), score].filter(Boolean).join(' · '),
    detail: foreign(focus.text.slice(0, longestSnippet), longestSnippet),
    buttons: [openToSide],
    place,
    line: focus.line,
  };
}

function ownScoreWords({ score, scoredBy }: FoundPassage, language: string): string {
  return scoredBy === 'text'
    ? vscode.l10n.t('word score {0}', scoreText(score, language))
    : vscode.l10n.t('similarity {0}', scoreText(score, language));
}

/** Short, because it takes space in the row of the first passage. */
function headingWords(scoredBy: ScoredBy, isRanking: boolean): string {
  if (scoredBy === 'rerank') return vscode.l10n.t('ranked');
  return isRanking ? vscode.l10n.t('not ranked yet') : vscode.l10n.t('not ranked');
}

export function divider(label: string): PassageRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Returns the list as text, one line per passage, for the clipboard. */
export function listText(finding: WorkspaceFinding): string {
  const focusOf = createFocus(finding.question);
  return passagesOf(finding)
    .map(({ path, range, score, text }) => {
      const focus = focusOf(text);
      return `${scoreText(score, 'en')}\t${path}:${range.start.line + focus.line + 1}\t${focus.text.trim()}`;
    })
    .join('\n');
}

/** Summarizes the results and their cost. */
export function summaryWords(finding: WorkspaceFinding): string {
  const { candidates, ranking } = finding;
  const number = (value: number) => numberText(value, vscode.env.language);
  const { overLimit, tooLarge, notText, unreadable } = candidates.leftOut;
  const left = overLimit + tooLarge + notText + unreadable;
  const tokens = candidates.tokens + (ranking ? ranking.list.tokens.input + ranking.list.tokens.output : 0);
  const count = candidates.items.length;
  return [
    ...(ranking ? [vscode.l10n.t('Ranked by {0}', ranking.model)] : []),
    count === 1 ? vscode.l10n.t('1 place') : vscode.l10n.t('{0} places', number(count)),
    candidates.files === 1 ? vscode.l10n.t('1 file read') : vscode.l10n.t('{0} files read', number(candidates.files)),
    ...(left > 0 ? [vscode.l10n.t('{0} left out: too large, too many or no text', number(left))] : []),
    ...(tokens > 0 ? [vscode.l10n.t('{0} tokens', number(tokens))] : []),
  ].join(' · ');
}
