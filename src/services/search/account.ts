import * as vscode from 'vscode';
import { chooseModel } from '../../core/catalogue/jobs';
import { embedderOf } from '../../core/search/find/searchAccount';
import type { SearchAccount } from '../../core/search/find/searchAccount';
import { openActiveAccount } from '../account/activeAccount';
import type { Connections } from '../account/connections';
import type { ModelCatalogue } from '../models/modelCatalogue';
import type { Profile, Profiles } from '../account/profiles';
import type { Settings } from '../../platform/settings';
import { createSpending } from '../usage/spending';
import type { UsageLedger } from '../../core/usage/usageLedger';
import { UserError } from '../../platform/errors/userError';

export interface WorkspaceAccount extends SearchAccount {
  readonly profile: Profile;
}

export interface SearchSources {
  readonly connections: Connections;
  readonly models: ModelCatalogue;
  readonly profiles: Profiles;
  readonly settings: Settings;
  readonly log: vscode.LogOutputChannel;
}

/** Throws a localized error if nothing may be sent from here, no folder is open, or nobody is signed in. */
export async function openAccount(sources: SearchSources, ledger: UsageLedger): Promise<WorkspaceAccount> {
  const { profile, client, catalogue } = await openActiveAccount(sources, checkWorkspace);
  const spending = createSpending(profile.id, ledger, sources);
  const chosen = { reranker: chooseModel('rerank', catalogue), embedder: embedderOf(catalogue) };
  return { profile, origin: profile.origin, client, spending, ...chosen };
}

export function checkWorkspace(): void {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) {
    throw new UserError(
      vscode.l10n.t('No folder is open'),
      vscode.l10n.t('Open the folder whose files are to be searched, then ask again.'),
    );
  }
  if (!vscode.workspace.isTrusted) {
    throw new UserError(
      vscode.l10n.t('Nothing is found by meaning in Restricted Mode'),
      vscode.l10n.t('Trust this workspace first: parts of its files are sent to the service.'),
    );
  }
}
