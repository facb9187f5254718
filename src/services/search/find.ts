import path from 'node:path';
import * as vscode from 'vscode';
import { UnusableVectors } from '../../core/search/find/embedding';
import type { Finding, FoundBy, Passage } from '../../core/search/find/finding';
import { findPassages } from '../../core/search/find/findPassages';
import type { FindOptions, FindProgress } from '../../core/search/find/findPassages';
import { searchLimits } from '../../core/search/find/readChunks';
import type { SearchedFiles } from '../../core/search/find/readChunks';
import type { SearchAccount } from '../../core/search/find/searchAccount';
import type { Settings } from '../../platform/settings';
import { UserError } from '../../platform/errors/userError';
import { WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import { openWorkspaceTexts } from '../../platform/workspace/workspaceTexts';
import type { FileChoice, WorkspaceText } from '../../platform/workspace/workspaceTexts';
import { foreign } from '../../core/text/foreignText';

/** The range of a passage in a file. */
export interface WorkspacePassage {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

export type WorkspaceFinding = Finding<WorkspacePassage>;
export type FoundPassage = Passage<WorkspacePassage>;
export type WorkspaceProgress = FindProgress<WorkspacePassage>;

export interface FindRequest extends FileChoice {
  readonly question: string;
  readonly by: FoundBy;
}

/** Finds passages in the workspace's files. Throws a localized error if candidates cannot be found, and when it is stopped. */
export async function find(
  { question, by, ...choice }: FindRequest,
  account: SearchAccount,
  { context, settings }: { readonly context: vscode.ExtensionContext; readonly settings: Settings },
  options: Omit<FindOptions<WorkspacePassage>, 'folder'>,
): Promise<WorkspaceFinding> {
  const guard = await WorkspaceGuard.open(settings);
  const files: SearchedFiles<WorkspaceText, WorkspacePassage> = {
    open: (signal) => openWorkspaceTexts({ ...choice, guard }, searchLimits, signal),
    whereOf: ({ uri }, { start, end }) => ({
      uri,
      range: new vscode.Range(start.line, start.character, end.line, end.character),
    }),
  };
  const folder = path.join(context.globalStorageUri.fsPath, 'vectors');
  try {
    return await findPassages({ question, by }, files, account, { ...options, folder });
  } catch (error) {
    if (error instanceof UnusableVectors) throw unusable(error);
    throw error;
  }
}

function unusable({ model }: UnusableVectors): UserError {
  return new UserError(
    vscode.l10n.t('{0} gave no vectors that can be used', foreign(model)),
    vscode.l10n.t(
      'Choose another embedding model in the Models view, or search by words: inferenceDesk.findByMeaning.candidates.',
    ),
  );
}
