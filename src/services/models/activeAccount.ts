import * as l10n from '@vscode/l10n';
import type { Client } from '../../core/api/client';
import type { Account, Profile } from '../account/account';
import type { CatalogueState, ModelCatalogue } from './modelCatalogue';
import { UserError } from '../../platform/errors/userError';
import type { CallUse } from '../../core/usage/meteredClient';

export interface AccountSources {
  readonly account: Account;
  readonly models: ModelCatalogue;
}

/** A profile with its client and models, all of the same account. */
export interface ActiveAccount {
  readonly profile: Profile;
  readonly client: Client;
  /** Contains at least one model. */
  readonly catalogue: CatalogueState;
}

/** Maximum number of attempts when the user keeps switching to another account. */
const mostTries = 3;

/**
 * Throws what `check`, called before each attempt, throws, and if no account is signed in, no models can be listed, or the account keeps
 * changing.
 */
export async function openActiveAccount(
  { account, models }: AccountSources,
  check: () => void,
  use?: CallUse,
): Promise<ActiveAccount> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    check();
    const { current } = account;
    const client = await current.client(use);
    const catalogue = await models.ensureFresh();
    const { id, profile } = account.current;
    // One account must not receive a request for another's data.
    if (!profile || catalogue.profileId !== id || current.id !== id) continue;
    if (catalogue.models.length === 0 && catalogue.error !== undefined) throw catalogue.error;
    return { profile, client, catalogue };
  }
  throw new UserError(l10n.t('The account has changed'), l10n.t("The request wasn't sent. Try again."));
}
