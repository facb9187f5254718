import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { chooseModel } from '../../core/catalogue/jobs';
import { embedderOf } from '../../core/search/find/searchAccount';
import type { SearchAccount } from '../../core/search/find/searchAccount';
import { openActiveAccount } from '../models/activeAccount';
import type { Profile } from '../account/account';
import type { Services } from '../services';
import type { Settings } from '../../platform/settings';
import type { CallUse } from '../../core/usage/meteredClient';
import { UserError } from '../../platform/errors/userError';
import type { FoundBy, Finding, Passage } from '../../core/search/find/finding';
import path from 'node:path';
import { UnusableVectors } from '../../core/search/find/embeddingCandidates';
import { findPassages } from '../../core/search/find/findPassages';
import type { FindOptions, FindProgress } from '../../core/search/find/finding';
import { searchLimits } from '../../core/search/find/readChunks';
import type { SearchedFiles } from '../../core/search/find/readChunks';
import { WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import { openWorkspaceTexts } from '../../platform/workspace/workspaceTexts';
import type { FileChoice, WorkspaceText } from '../../platform/workspace/workspaceTexts';
import { foreign } from '../../core/text/foreignText';

export interface WorkspaceAccount extends SearchAccount {
  readonly profile: Profile;
}

/** Throws a localized error if nothing may be sent from here, no folder is open, or no account is signed in. */
export async function openAccount(services: Services, use?: CallUse): Promise<WorkspaceAccount> {
  const { profile, client, catalogue } = await openActiveAccount(services, checkWorkspace, use);
  const chosen = { reranker: chooseModel('rerank', catalogue), embedder: embedderOf(catalogue) };
  return { profile, origin: profile.origin, client, ...chosen };
}

export function checkWorkspace(): void {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) {
    throw new UserError(l10n.t('No folder is open'), l10n.t('Open the folder to search.'));
  }
  if (!vscode.workspace.isTrusted) {
    throw new UserError(
      l10n.t('Semantic search is disabled in Restricted Mode'),
      l10n.t('Trust this workspace first. Parts of files are sent to the service.'),
    );
  }
}

const declinedKey = 'findByMeaning.byWords';

/** How candidates are found if the account has an embedding model; stored per workspace. */
export interface WayOfFinding {
  readonly by: FoundBy;
  /** Whether the user may choose, because no setting decides. */
  readonly isOpen: boolean;
  choose(by: FoundBy): Thenable<void>;
}

export function wayOfFinding(settings: Settings, { workspaceState }: vscode.ExtensionContext): WayOfFinding {
  const setting = settings.get('findByMeaning.candidates');
  const chosen = workspaceState.get(declinedKey) === true ? 'text' : 'embeddings';
  return {
    by: setting === 'auto' ? chosen : setting,
    isOpen: setting === 'auto',
    choose: (by) => workspaceState.update(declinedKey, by === 'text' ? true : undefined),
  };
}

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
  { context, settings }: Services,
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
    l10n.t("{0} didn't return usable embeddings", foreign(model)),
    l10n.t('Choose another embedding model, or search by words (inferenceDesk.findByMeaning.candidates).'),
  );
}
