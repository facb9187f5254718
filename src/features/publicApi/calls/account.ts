import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Client } from '../../../core/api/client';
import { chooseModel } from '../../../core/catalogue/jobs';
import type { ModelJob } from '../../../core/catalogue/model';
import { addUsage, noUsage } from '../../../core/usage/usage';
import type { Usage } from '../../../core/usage/usage';
import { toUsage } from '../../../core/usage/usageOf';
import type { CallUsage } from '../../../core/usage/usageOf';
import { openActiveAccount } from '../../../services/models/activeAccount';
import type { Services } from '../../../services/services';
import { PublicApiError } from '../apiError';

/** The account, client and model of one call. */
export interface CallAccount {
  readonly profileId: string;
  readonly client: Client;
  readonly model: string;
  /** Returns what the call used so far. */
  readonly usage: () => Usage;
}

export interface RequestedAccount {
  readonly job: ModelJob;
  /** Unset: the default for the job. */
  readonly model: string | undefined;
}

/**
 * Opens the account of the active profile. Throws if sending is not allowed from this workspace, no account is signed in, or there is no model.
 */
export type OpenAccount = (requested: RequestedAccount) => Promise<CallAccount>;

export function createOpenAccount(services: Services): OpenAccount {
  const { account, connections } = services;
  return async ({ job, model }) => {
    let used = noUsage;
    const usage = () => used;
    const use = {
      source: 'extensions' as const,
      onUsage: (one: CallUsage) => void (used = addUsage(used, toUsage(one))),
    };
    if (model !== undefined) {
      checkTrust();
      const profileId = account.current.profile?.id;
      const client = await connections.client(profileId, use);
      // There is a profile, because there was a client for it.
      return { profileId: profileId!, client, usage, model };
    }
    const { profile, client, catalogue } = await openActiveAccount(services, checkTrust, use);
    const chosen = chooseModel(job, catalogue);
    if (chosen === undefined) throw noModel();
    return { profileId: profile.id, client, usage, model: chosen };
  };
}

function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new PublicApiError(
    'restrictedMode',
    l10n.t("Trust this workspace first. Until then, other extensions can't send requests."),
  );
}

function noModel(): PublicApiError {
  return new PublicApiError('noModel', l10n.t('No model for this. Pass a model in the request.'));
}
