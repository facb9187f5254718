import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { posix } from 'node:path';
import type { NewVectors } from '../../core/search/find/embeddingCandidates';
import type { WorkspaceFinding, WorkspaceProgress, FoundPassage } from '../../services/search/search';
import { numberText } from '../../platform/displayText';
import { step, toStep } from '../../platform/errors/errorActions';
import { describe } from '../../platform/errors/reportError';
import { sentences } from '../../protocol/sentences';
import { foreign } from '../../core/text/foreignText';
import { passagesOf } from '../../core/search/find/finding';
import type { ScoredBy } from '../../core/search/find/finding';
import { createFocus } from '../../core/search/textRanking';
import { scoreText } from '../../core/ranking/scoreText';
import { barsOf } from './logic/scoreBars';

/** The action of a row that is not a passage. */
export type RowAction =
  | { readonly kind: 'makeVectors' | 'useWords' | 'retry' | 'askAgain' }
  /** Shows the full error message. */
  | { readonly kind: 'tell'; readonly error: unknown }
  | { readonly kind: 'step'; readonly step: string };

export interface FindRow extends PassageRow {
  readonly action?: RowAction;
}

/** Progress of the search, with everything there is to show. */
export type FindState =
  | { readonly kind: 'working'; readonly progress?: WorkspaceProgress; readonly finding?: WorkspaceFinding }
  | {
      readonly kind: 'asking';
      readonly vectors: NewVectors;
      /** As the model will count them. */
      readonly tokens: number;
      readonly service: string;
      /** Of the embeddings and the ranking. */
      readonly price: string;
    }
  | { readonly kind: 'done'; readonly finding: WorkspaceFinding }
  | { readonly kind: 'failed'; readonly error: unknown };

export function rowsOf(state: FindState): readonly FindRow[] {
  switch (state.kind) {
    case 'working':
      return state.finding ? placeRows(state.finding, { isRanking: true }) : [];
    case 'asking':
      return questionRows(state);
    case 'failed':
      return errorRows(state.error);
    case 'done':
      return doneRows(state.finding);
  }
}

export function placeholderOf(state: FindState): string {
  switch (state.kind) {
    case 'working':
      return state.progress ? progressWords(state.progress) : l10n.t('Loading models…');
    case 'asking':
      return l10n.t('Semantic search requires embeddings of this workspace');
    case 'failed':
      return l10n.t('Search failed');
    case 'done':
      return summaryWords(state.finding);
  }
}

function progressWords(progress: WorkspaceProgress): string {
  switch (progress.kind) {
    case 'reading':
      return l10n.t('Reading files… {0} of {1}', number(progress.files), number(progress.of));
    case 'embedding':
      return l10n.t('Creating embeddings… {0} of {1} passages', number(progress.parts), number(progress.of));
    case 'candidates':
      return l10n.t('Ranking candidates… {0} found', number(progress.candidates.items.length));
    case 'ranking':
      return l10n.t('Ranking candidates… {0} of {1}', number(progress.done), number(progress.of));
  }
}

function doneRows(finding: WorkspaceFinding): readonly FindRow[] {
  const { problem, candidates } = finding;
  if (candidates.items.length === 0) return nothingRows(finding);
  const places = placeRows(finding, { isRanking: false });
  if (!problem) return places;
  if (problem.kind === 'failed') return [...errorRows(problem.error), ...places];
  if (problem.kind === 'unranked') return [...unrankedRows(problem), ...places];
  return [
    {
      iconPath: new vscode.ThemeIcon('info'),
      label: l10n.t("Your account doesn't have a reranker model"),
      detail: l10n.t('Results are sorted by similarity.'),
      alwaysShow: true,
      action: { kind: 'askAgain' },
    },
    ...places,
  ];
}

type WorkspaceProblem = NonNullable<WorkspaceFinding['problem']>;

function unrankedRows({ unranked, model }: Extract<WorkspaceProblem, { kind: 'unranked' }>): readonly FindRow[] {
  const { id: check, label } = step('checkModel', model);
  const why =
    unranked === 'sameScores' ? l10n.t('All results have the same score.') : l10n.t('The response contains no scores.');
  return [
    {
      iconPath: new vscode.ThemeIcon('warning'),
      label: l10n.t("{0} didn't return usable scores", foreign(model)),
      detail: sentences(why, l10n.t('The results are in search order.')),
      alwaysShow: true,
      action: { kind: 'askAgain' },
    },
    { iconPath: new vscode.ThemeIcon('beaker'), label, alwaysShow: true, action: { kind: 'step', step: check } },
    divider(''),
  ];
}

function nothingRows({ candidates: { files, by } }: WorkspaceFinding): readonly FindRow[] {
  const isEmpty = files === 0 || by === 'embeddings';
  return [
    {
      iconPath: new vscode.ThemeIcon('info'),
      label: l10n.t('No results'),
      detail: isEmpty
        ? l10n.t('All files are empty, excluded, or ignored.')
        : l10n.t('No file contains any of these words.'),
      alwaysShow: true,
      action: { kind: 'askAgain' },
    },
  ];
}

function questionRows({ vectors, tokens, service, price }: Extract<FindState, { kind: 'asking' }>): readonly FindRow[] {
  const { parts, model } = vectors;
  return [
    {
      iconPath: new vscode.ThemeIcon('whole-word'),
      label: l10n.t('Search by Words'),
      detail: l10n.t('Sends only passages that share words with the question.'),
      alwaysShow: true,
      action: { kind: 'useWords' },
    },
    {
      iconPath: new vscode.ThemeIcon('symbol-numeric'),
      label: l10n.t('Create Embeddings'),
      description: l10n.t('Passages: {0}, tokens: about {1}, price: {2}', number(parts), number(tokens), price),
      detail: l10n.t(
        'The passages are sent to {0} at {1} once. Later, only changes are sent.',
        foreign(model),
        service,
      ),
      alwaysShow: true,
      action: { kind: 'makeVectors' },
    },
  ];
}

/** Characters of an error message that a row shows at its usual width. */
const shownCharacters = 80;

function errorRows(error: unknown): readonly FindRow[] {
  const { kind, title, detail, actions } = describe(error);
  const steps = actions.filter(({ id }) => toStep(id));
  const again: FindRow = {
    iconPath: new vscode.ThemeIcon('debug-restart'),
    label: l10n.t('Try Again'),
    alwaysShow: true,
    action: { kind: 'retry' },
  };
  return [
    {
      iconPath: new vscode.ThemeIcon(kind === 'notOffered' ? 'info' : 'error'),
      label: title,
      detail,
      alwaysShow: true,
      action: { kind: 'tell', error },
    },
    ...(detail.length > shownCharacters ? [wholeWords(error)] : []),
    ...(kind === 'notOffered' ? [] : [again]),
    ...steps.map(({ id, label }): FindRow => ({
      iconPath: new vscode.ThemeIcon('arrow-right'),
      label,
      alwaysShow: true,
      action: { kind: 'step', step: id },
    })),
    divider(''),
  ];
}

function wholeWords(error: unknown): FindRow {
  return {
    iconPath: new vscode.ThemeIcon('comment'),
    label: l10n.t('Show Full Message'),
    alwaysShow: true,
    action: { kind: 'tell', error },
  };
}

function number(value: number): string {
  return numberText(value, vscode.env.language);
}

interface PassageRow extends vscode.QuickPickItem {
  readonly place?: FoundPassage;
  /** Line in its file, from 0, with the words of the question. */
  readonly line?: number;
}

const openToSide: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('split-horizontal'),
  get tooltip() {
    return l10n.t('Open to the Side');
  },
};

const longestSnippet = 300;

/** Returns a row per passage, with separators that say what the scores are. `isRanking`: the ranking is still in progress. */
function placeRows(finding: WorkspaceFinding, { isRanking }: { readonly isRanking: boolean }): readonly PassageRow[] {
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
    ? l10n.t('word score {0}', scoreText(score, language))
    : l10n.t('similarity {0}', scoreText(score, language));
}

/** Short, because it takes space in the row of the first passage. */
function headingWords(scoredBy: ScoredBy, isRanking: boolean): string {
  if (scoredBy === 'rerank') return l10n.t('ranked');
  return isRanking ? l10n.t('not ranked yet') : l10n.t('not ranked');
}

function divider(label: string): PassageRow {
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
function summaryWords(finding: WorkspaceFinding): string {
  const { candidates, ranking } = finding;
  const number = (value: number) => numberText(value, vscode.env.language);
  const { overLimit, tooLarge, notText, unreadable } = candidates.leftOut;
  const left = overLimit + tooLarge + notText + unreadable;
  const tokens = candidates.tokens + (ranking ? ranking.list.tokens.input + ranking.list.tokens.output : 0);
  const count = candidates.items.length;
  return [
    ...(ranking && !ranking.list.unranked ? [l10n.t('Ranked by {0}', ranking.model)] : []),
    count === 1 ? l10n.t('1 passage') : l10n.t('{0} passages', number(count)),
    candidates.files === 1 ? l10n.t('1 file searched') : l10n.t('{0} files searched', number(candidates.files)),
    ...(left > 0 ? [l10n.t('{0} skipped (too large, too many, or not text)', number(left))] : []),
    ...(tokens > 0 ? [l10n.t('{0} tokens', number(tokens))] : []),
  ].join(' · ');
}
