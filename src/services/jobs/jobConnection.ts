import { l10n } from 'vscode';
import type { Client } from '../../core/api/client';
import { StepFailure } from '../../core/jobs/job';
import { isSameService } from '../../core/jobs/sameService';
import type { Connections } from '../account/connections';
import { step } from '../../platform/errors/errorActions';
import type { Profile, Profiles } from '../account/profiles';
import { UserError } from '../../platform/errors/userError';

export interface JobConnectionOptions {
  readonly profiles: Profiles;
  readonly connections: Connections;
}

/**
 * Returns a function that resolves with the client of a job's own profile, as long as that still has the URL the job was sent to; else it
 * throws `StepFailure` of kind `profileGone` or `addressChanged`.
 */
export function createJobConnection({
  profiles,
  connections,
}: JobConnectionOptions): (job: { readonly profileId: string; readonly baseUrl: string }) => Promise<Client> {
  return async ({ profileId, baseUrl }) => {
    const check = () => {
      const profile = profiles.get(profileId);
      if (!profile) throw new StepFailure({ kind: 'profileGone', message: profileId });
      if (!isSameService(profile.baseUrl, baseUrl)) throw new StepFailure({ kind: 'addressChanged', message: baseUrl });
    };
    check();
    const client = await connections.client(profileId);
    check();
    return client;
  };
}

/** Throws a `UserError` if there is no profile. */
export function signedIn(profile: Profile | undefined): Profile {
  if (profile) return profile;
  throw new UserError(l10n.t('You are not signed in'), l10n.t('Sign in, or try the demo service.'), [
    step('signIn'),
    step('tryDemo'),
  ]);
}

/**
 * Resolves with the profile a job is sent with: the active one unless another is named. If it has no key, throws before anything is saved.
 */
export async function orderedFrom(
  profileId: string | undefined,
  { profiles, connections }: JobConnectionOptions,
): Promise<Profile> {
  const { id } = signedIn(profileId === undefined ? profiles.active : profiles.get(profileId));
  // The service may have to be started.
  await connections.client(id);
  return signedIn(profiles.get(id));
}
