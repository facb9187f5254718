import * as l10n from '@vscode/l10n';
import type { Client } from '../../core/api/client';
import type { Connections, Profile, Profiles } from '../account/account';
import type { CatalogueState, ModelCatalogue } from './modelCatalogue';
import { UserError } from '../../platform/errors/userError';
import type { CallUse } from '../../core/usage/meteredClient';

export interface AccountSources {
  readonly connections: Connections;
  readonly models: ModelCatalogue;
  readonly profiles: Profiles;
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
 * Throws what `check`, called before each attempt, throws, and if nobody is signed in, no models can be listed, or the account keeps
 * changing.
 */
export async function openActiveAccount(
  { connections, models, profiles }: AccountSources,
  check: () => void,
  use?: CallUse,
): Promise<ActiveAccount> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    check();
    const id = profiles.active?.id;
    const client = await connections.client(id, use);
    const catalogue = await models.ensureFresh();
    const profile = id === undefined ? undefined : profiles.get(id);
    // One account must not be asked for what belongs to another.
    if (!profile || catalogue.profileId !== id || profiles.active?.id !== id) continue;
    if (catalogue.models.length === 0 && catalogue.error !== undefined) throw catalogue.error;
    return { profile, client, catalogue };
  }
  throw new UserError(l10n.t('The account has changed'), l10n.t("The request wasn't sent. Try again."));
}
