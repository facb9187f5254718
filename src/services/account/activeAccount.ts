import { l10n } from 'vscode';
import type { Client } from '../../core/api/client';
import type { Connections } from './connections';
import type { CatalogueState, ModelCatalogue } from '../models/modelCatalogue';
import type { Profile, Profiles } from './profiles';
import { UserError } from '../../platform/errors/userError';

export interface AccountSources {
  readonly connections: Pick<Connections, 'client'>;
  readonly models: Pick<ModelCatalogue, 'ensureFresh'>;
  readonly profiles: Pick<Profiles, 'active' | 'get'>;
}

/** All of one and the same account. */
export interface ActiveAccount {
  readonly profile: Profile;
  readonly client: Client;
  /** At least one model. */
  readonly catalogue: CatalogueState;
}

/** How often is begun anew because the person changed to another account meanwhile. */
const mostTries = 3;

/** Throws what `check` throws, which is asked before each try, and, with words, where nobody is signed in or no list is to be had. */
export async function openActiveAccount(
  { connections, models, profiles }: AccountSources,
  check: () => void,
): Promise<ActiveAccount> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    check();
    const id = profiles.active?.id;
    const client = await connections.client(id);
    const catalogue = await models.ensureFresh();
    const profile = id === undefined ? undefined : profiles.get(id);
    // What one account has must not be asked of another.
    if (!profile || catalogue.profileId !== id || profiles.active?.id !== id) continue;
    if (catalogue.models.length === 0 && catalogue.error !== undefined) throw catalogue.error;
    return { profile, client, catalogue };
  }
  throw new UserError(l10n.t('The account was changed meanwhile'), l10n.t('Nothing was sent. Try again.'));
}
