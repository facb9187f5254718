import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createSpanFinder, SlowPatternError, snippetsAround, createTextPattern } from '../../core/search/textSearch';
import type { Snippet, TextQuery } from '../../core/search/textSearch';
import { UserError } from '../errors/userError';
import type { LeftOut } from '../../core/search/find/finding';
import type { TextLimits } from '../../core/search/find/readChunks';
import { openWorkspaceTexts } from './workspaceTexts';
import type { GuardedChoice, WorkspaceText } from './workspaceTexts';

export interface WorkspaceQuery extends TextQuery, GuardedChoice {
  /** Number of lines to include before and after a match. */
  readonly linesAround: number;
}

export interface SearchLimits extends TextLimits {
  readonly matches: number;
}

export const searchLimits: SearchLimits = {
  files: 20_000,
  fileBytes: 4 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  matches: 1000,
};

/** A snippet of a file with matches; matches whose context lines touch are merged. */
export interface WorkspaceMatch {
  readonly uri: vscode.Uri;
  /** As the editor displays it. */
  readonly path: string;
  /** The ranges of the matches, top to bottom; never empty. */
  readonly ranges: readonly vscode.Range[];
  /** Line of the file where `text` begins, from 0. */
  readonly firstLine: number;
  /** The matches with the lines around them. */
  readonly text: string;
}

export interface WorkspaceMatches {
  readonly matches: readonly WorkspaceMatch[];
  /** Number of files searched. */
  readonly files: number;
  readonly leftOut: LeftOut;
  /** Whether the search ended because it reached the maximum number of matches. */
  readonly isCut: boolean;
}

export interface SearchProgress {
  readonly files: number;
  readonly of: number;
  readonly matches: number;
}

/**
 * Searches the texts of the workspace, file by file in the order of their paths. Throws a `UserError` for a regular expression that is
 * invalid or takes too long, and for an empty query.
 */
export async function searchWorkspace(
  query: WorkspaceQuery,
  limits: SearchLimits = searchLimits,
  {
    signal,
    onProgress,
  }: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: SearchProgress) => void;
  } = {},
): Promise<WorkspaceMatches> {
  const find = createSpanFinder(patternOf(query));
  const { texts, count, leftOut } = await openWorkspaceTexts(query, limits, signal);
  const matches: WorkspaceMatch[] = [];
  let found = 0;
  let files = 0;
  for await (const file of texts) {
    const spans = inWords(() => find(file.text, limits.matches - found));
    found += spans.length;
    files += 1;
    for (const one of snippetsAround(file.text, spans, query.linesAround).map((snippet) => toMatch(file, snippet)))
      matches.push(one);
    onProgress?.({ files, of: count, matches: found });
    if (found >= limits.matches) return { matches, files, leftOut, isCut: true };
  }
  return { matches, files, leftOut, isCut: false };
}

function patternOf(query: TextQuery): RegExp {
  if (query.text === '') {
    throw new UserError(l10n.t('Enter a search term'), l10n.t('Enter the text to search for.'));
  }
  return inWords(() => createTextPattern(query));
}

function inWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UserError(l10n.t('Invalid regular expression'), error.message);
    }
    if (error instanceof SlowPatternError) {
      throw new UserError(
        l10n.t('This regular expression takes too long'),
        l10n.t('Make the repeated parts more specific.'),
      );
    }
    throw error;
  }
}

function toMatch({ uri, path }: WorkspaceText, { firstLine, text, places }: Snippet): WorkspaceMatch {
  const ranges = places.map(({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character));
  return { uri, path, ranges, firstLine, text };
}
