import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Client } from '../../../core/api/client';
import { chooseModel } from '../../../core/catalogue/jobs';
import type { ModelJob } from '../../../core/catalogue/jobs';
import { openActiveAccount } from '../../../services/models/activeAccount';
import { createSpendings } from '../../../services/usage/spending';
import type { Spending } from '../../../services/usage/spending';
import { openUsageLedger } from '../../../services/usage/tokenBudget';
import type { Services } from '../../../services/services';
import { DeskError, toDeskError } from '../apiError';

/** The account, client and model of one call. */
export interface CallAccount {
  readonly profileId: string;
  readonly client: Client;
  readonly model: string;
  /** Throws `budget` if the tokens of the day are used up. */
  readonly spending: Spending;
}

export interface RequestedAccount {
  readonly job: ModelJob;
  /** Unset: the default for the job. */
  readonly model: string | undefined;
}

/**
 * Opens the account of the active profile. Throws if sending is not allowed from this workspace, nobody is signed in, or there is no model.
 */
export type OpenAccount = (wanted: RequestedAccount) => Promise<CallAccount>;

export function createOpenAccount(services: Services): OpenAccount {
  const { context, log, profiles, connections } = services;
  const spendingOf = createSpendings(openUsageLedger(context, log), services);
  return async ({ job, model }) => {
    if (model !== undefined) {
      checkTrust();
      const profileId = profiles.active?.id;
      const client = await connections.client(profileId);
      // There is a profile, because there was a client for it.
      return { profileId: profileId!, client, spending: telling(spendingOf(profileId!)), model };
    }
    const { profile, client, catalogue } = await openActiveAccount(services, checkTrust);
    const chosen = chooseModel(job, catalogue);
    if (chosen === undefined) throw noModel();
    return { profileId: profile.id, client, spending: telling(spendingOf(profile.id)), model: chosen };
  };
}

/** Gives a spending limit its own code, to distinguish it from other errors that a person can fix. */
function telling(spending: Spending): Spending {
  return {
    add: (usage, model) => spending.add(usage, model),
    async check(expected) {
      try {
        return await spending.check(expected);
      } catch (error) {
        throw toDeskError(error, 'budget');
      }
    },
  };
}

function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new DeskError(
    'restrictedMode',
    l10n.t('Other extensions send nothing in Restricted Mode. Trust this workspace first.'),
  );
}

function noModel(): DeskError {
  return new DeskError('noModel', l10n.t('The account has no model for this. Name one in the request.'));
}
