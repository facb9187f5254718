import * as l10n from '@vscode/l10n';
import type { Activity } from '../../platform/activity';
import type { Account, Connections, Profiles, Profile } from '../account/account';
import type { Costs } from '../usage/costs';
import type { Report } from '../../platform/errors/report';
import type { Settings } from '../../platform/settings';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { makeFolder } from '../../core/storage/privateFiles';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { watchFolder } from '../../platform/workspace/watchFolder';
import type { Client } from '../../core/api/client';
import { StepFailure, toJobError } from '../../core/jobs/job';
import { isSameService } from '../../core/jobs/sameService';
import { step } from '../../platform/errors/errorActions';
import { UserError } from '../../platform/errors/userError';
import type { Job, JobError } from '../../core/jobs/job';
import { RequestProblem } from '../../core/jobs/requestProblem';
import { ApiError, isApiError } from '../../core/api/errors';
import { foreign } from '../../core/text/foreignText';
import type { WireError } from '../../protocol/wire';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { describe } from '../../platform/errors/reportError';
import { sentence, titled } from '../../protocol/sentences';

/** The requirements of job tracking from the rest of the extension. */
export interface JobSources {
  readonly context: vscode.ExtensionContext;
  readonly settings: Settings;
  readonly account: Account;
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly activity: Activity;
  readonly costs: Costs;
  readonly log: vscode.LogOutputChannel;
  /** Reports why an action chosen in a notification failed. */
  readonly report: Report;
}

/** What a job engine requires from VS Code and the machine. */
export const jobSurroundings = {
  where: () => vscode.workspace.name ?? '',
  now: Date.now,
  newId: randomUUID,
  setTimer: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export interface FollowedEngine {
  readonly options: { readonly folder: string; readonly onError: (error: unknown) => void };
  refresh(): Promise<void>;
  wake(): Promise<void>;
}

/**
 * Resolves once the engine knows what is on disk. From then on, the engine notices what other windows write, and immediately retries failed
 * work when a profile changes.
 */
export async function followJobs(engine: FollowedEngine, profiles: Profiles): Promise<Disposable> {
  const { folder, onError } = engine.options;
  await makeFolder(folder).catch(onError);
  await engine.refresh();
  const refresh = () => void engine.refresh().catch(onError);
  const wake = () => void engine.wake().catch(onError);
  const store = new DisposableStore();
  store.add(watchFolder(folder, { ending: '.json', onChange: refresh, onError }));
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && refresh()));
  store.add(profiles.onDidChange((change) => change !== 'active' && wake()));
  return store;
}

/**
 * Returns a function that resolves with the client of a job's own profile, as long as that still has the URL the job was sent to; else it
 * throws `StepFailure` of kind `profileGone`, `signedOut` or `addressChanged`.
 */
export function createJobConnection({
  profiles,
  connections,
}: JobSources): (job: { readonly profileId: string; readonly baseUrl: string }) => Promise<Client> {
  return async ({ profileId, baseUrl }) => {
    const check = () => {
      const profile = profiles.get(profileId);
      if (!profile) throw new StepFailure({ kind: 'profileGone', message: profileId });
      if (!isSameService(profile.baseUrl, baseUrl)) throw new StepFailure({ kind: 'addressChanged', message: baseUrl });
    };
    check();
    const client = await connections.client(profileId).catch((error: unknown) => {
      if (!isApiError(error) || error.kind !== 'auth' || error.details.status !== undefined) throw error;
      throw new StepFailure({
        ...toJobError(error, 'signedOut'),
        message: profiles.get(profileId)?.name ?? profileId,
      });
    });
    check();
    return client;
  };
}

/** Says that the account of a job is signed out. */
export function signedOutText({ message }: Omit<JobError, 'at'>): string {
  return l10n.t('The account "{0}" is signed out. Sign in to continue.', foreign(message));
}

/** Returns why an action on a job can't reach its service, for the user; any other error as it is. */
export function accountError(error: unknown): unknown {
  if (!(error instanceof StepFailure)) return error;
  const { kind, message } = error.jobError;
  if (kind === 'signedOut')
    return new UserError(l10n.t('Account is signed out'), signedOutText(error.jobError), [step('switchAccount')]);
  if (kind === 'profileGone')
    return new UserError(l10n.t('Account not found'), l10n.t('To continue, add the account again.'));
  if (kind === 'addressChanged')
    return new UserError(
      l10n.t('Base URL changed'),
      l10n.t("This job's account has another base URL. Change it back to {0} to continue.", message),
    );
  return new UserError(l10n.t("Couldn't reach the service"), sentence(foreign(message)));
}

/** Throws a `UserError` if there is no profile. */
export function signedIn(profile: Profile | undefined): Profile {
  if (profile) return profile;
  throw new UserError(l10n.t("You aren't signed in"), l10n.t('Sign in, or try the demo service.'), [
    step('signIn'),
    step('tryDemo'),
  ]);
}

/**
 * Resolves with the profile a job is sent with: the active one unless another is named. If it has no key, throws before anything is saved.
 */
export async function connectionFor(
  profileId: string | undefined,
  { account, profiles, connections }: JobSources,
): Promise<Profile> {
  const { id } = signedIn(profileId === undefined ? account.current.profile : profiles.get(profileId));
  // The service may have to be started.
  await connections.client(id);
  return signedIn(profiles.get(id));
}

/** Resolves with the job once `isOver` returns true. Rejects if the job no longer exists. */
export async function whenJob<J extends Job>(
  engine: { readonly jobs: readonly J[] },
  id: string,
  {
    isOver,
    onDidChange,
    signal,
  }: {
    readonly isOver: (job: J) => boolean;
    readonly onDidChange: vscode.Event<void>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<J> {
  const store = new DisposableStore();
  try {
    return await new Promise<J>((resolve, reject) => {
      const look = () => {
        const job = engine.jobs.find((one) => one.id === id);
        if (!job) reject(new RequestProblem('noSuchJob'));
        else if (isOver(job)) resolve(job);
      };
      const stop = () => reject(signal?.reason);
      store.add(onDidChange(look));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop);
      store.add({ dispose: () => signal?.removeEventListener('abort', stop) });
      look();
    });
  } finally {
    store.dispose();
  }
}

/** Returns why a call or a disk access failed, in the usual localized words; for any other error, its own message. */
export function causeText(jobError: JobError): string {
  const error = jobErrorOnWire(jobError);
  return error ? titled(error.title, error.detail) : sentence(reasonText(originOf(jobError)));
}

/** Returns the failed call behind a job's error, localized as usual, or `undefined` if there was no call. */
export function jobErrorOnWire(jobError: JobError): WireError | undefined {
  const { error } = jobError;
  return error && describe(new ApiError({ ...error, cause: originOf(jobError) }));
}

function originOf({ message, causeCode }: JobError): Error {
  return Object.assign(new Error(message), { code: causeCode });
}
