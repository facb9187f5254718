import * as vscode from 'vscode';
import type { NewVectors } from '../../core/search/find/embeddingCandidates';
import type { WorkspaceFinding, WorkspaceProgress } from '../../services/search/search';
import { numberText } from '../../platform/displayText';
import { toStep } from '../../platform/errors/errorActions';
import { describe } from '../../platform/errors/reportError';
import { divider, placeRows, summaryWords } from './passageRows';
import type { PassageRow } from './passageRows';
import { foreign } from '../../core/text/foreignText';

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
  | { readonly kind: 'asking'; readonly wanted: NewVectors; readonly service: string }
  | { readonly kind: 'done'; readonly finding: WorkspaceFinding }
  | { readonly kind: 'failed'; readonly error: unknown };

export function rowsOf(state: FindState): readonly FindRow[] {
  switch (state.kind) {
    case 'working':
      return state.finding ? placeRows(state.finding, { isRanking: true }) : [];
    case 'asking':
      return questionRows(state.wanted, state.service);
    case 'failed':
      return errorRows(state.error);
    case 'done':
      return doneRows(state.finding);
  }
}

export function placeholderOf(state: FindState): string {
  switch (state.kind) {
    case 'working':
      return state.progress ? progressWords(state.progress) : vscode.l10n.t('Looking for models…');
    case 'asking':
      return vscode.l10n.t('The search by meaning needs vectors of the files of this workspace');
    case 'failed':
      return vscode.l10n.t('It did not work');
    case 'done':
      return summaryWords(state.finding);
  }
}

function progressWords(progress: WorkspaceProgress): string {
  switch (progress.kind) {
    case 'reading':
      return vscode.l10n.t('Reading files… {0} of {1}', number(progress.files), number(progress.of));
    case 'embedding':
      return vscode.l10n.t('Making vectors… {0} of {1} parts of files', number(progress.parts), number(progress.of));
    case 'candidates':
      return vscode.l10n.t('{0} candidates found, ranking them…', number(progress.candidates.items.length));
    case 'ranking':
      return vscode.l10n.t('Ranking candidates… {0} of {1}', number(progress.done), number(progress.of));
  }
}

function doneRows(finding: WorkspaceFinding): readonly FindRow[] {
  const { trouble, candidates } = finding;
  if (candidates.items.length === 0) return nothingRows(finding);
  const places = placeRows(finding, { isRanking: false });
  if (!trouble) return places;
  if (trouble.kind === 'failed') return [...errorRows(trouble.error), ...places];
  return [
    {
      iconPath: new vscode.ThemeIcon('info'),
      label: vscode.l10n.t('This account offers no reranker'),
      detail: vscode.l10n.t('What was found is shown in the order of its own scores.'),
      alwaysShow: true,
      action: { kind: 'askAgain' },
    },
    ...places,
  ];
}

function nothingRows({ candidates: { files, by } }: WorkspaceFinding): readonly FindRow[] {
  const isEmpty = files === 0 || by === 'embeddings';
  return [
    {
      iconPath: new vscode.ThemeIcon('info'),
      label: vscode.l10n.t('Nothing was found'),
      detail: isEmpty
        ? vscode.l10n.t('There are no text files to search: all are empty, excluded or ignored.')
        : vscode.l10n.t('No file has a word of the question. Ask in other words.'),
      alwaysShow: true,
      action: { kind: 'askAgain' },
    },
  ];
}

function questionRows({ parts, tokens, model }: NewVectors, service: string): readonly FindRow[] {
  return [
    {
      iconPath: new vscode.ThemeIcon('whole-word'),
      label: vscode.l10n.t('Search by Words'),
      detail: vscode.l10n.t('Nothing is sent but the parts of files that share words with the question.'),
      alwaysShow: true,
      action: { kind: 'useWords' },
    },
    {
      iconPath: new vscode.ThemeIcon('symbol-numeric'),
      label: vscode.l10n.t('Make Vectors'),
      description: vscode.l10n.t('{0} parts of files, about {1} tokens', number(parts), number(tokens)),
      detail: vscode.l10n.t('Sent once to {0} of {1} and kept here; later only what changed.', foreign(model), service),
      alwaysShow: true,
      action: { kind: 'makeVectors' },
    },
  ];
}

/** Characters of an error message that a row shows at its usual width. */
const shownCharacters = 80;

function errorRows(error: unknown): readonly FindRow[] {
  const { title, detail, actions } = describe(error);
  const steps = actions.filter(({ id }) => toStep(id));
  return [
    {
      iconPath: new vscode.ThemeIcon('error'),
      label: title,
      detail,
      alwaysShow: true,
      action: { kind: 'tell', error },
    },
    ...(detail.length > shownCharacters ? [wholeWords(error)] : []),
    {
      iconPath: new vscode.ThemeIcon('debug-restart'),
      label: vscode.l10n.t('Try again'),
      alwaysShow: true,
      action: { kind: 'retry' },
    },
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
    label: vscode.l10n.t('Show the whole message'),
    alwaysShow: true,
    action: { kind: 'tell', error },
  };
}

function number(value: number): string {
  return numberText(value, vscode.env.language);
}
