import { l10n } from 'vscode';
import type { ImageRun } from '../../../core/imageRuns/imageRun';
import { isSameService } from '../../../core/jobs/sameService';
import type { Profile } from '../../../services/account/account';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

/** Returns why a run cannot continue: its profile is missing, or points to another service than when the run was started. */
export function serviceProblem({ baseUrl }: ImageRun, profile: Profile | undefined): UserError | undefined {
  if (!profile) {
    return new UserError(
      l10n.t('The profile of this order was removed'),
      l10n.t('Nothing more was sent. Generate the rest again with another profile.'),
    );
  }
  if (baseUrl === undefined || isSameService(baseUrl, profile.baseUrl)) return undefined;
  return new UserError(
    l10n.t('The profile {0} has another address now', foreign(profile.name)),
    l10n.t(
      'These were ordered from {0}; it is {1} now. Nothing more was sent. Give it the former address and continue, or generate the rest again.',
      baseUrl,
      profile.baseUrl,
    ),
  );
}

export function sentElsewhere(): UserError {
  return new UserError(
    l10n.t('Another window sends these pictures'),
    l10n.t('Nothing was sent from here. Look at them there, or close that window and try again.'),
  );
}

export function takenOff(): UserError {
  return new UserError(
    l10n.t('Another window took these pictures off the page'),
    l10n.t('Nothing was sent. Those that were made are in the gallery.'),
  );
}
