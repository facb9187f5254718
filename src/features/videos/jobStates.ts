import { l10n } from 'vscode';
import type { MediaJob } from '../../services/media/media';
import type { VideoJob } from '../../protocol/videos';

export interface JobState {
  readonly dot: VideoJob['dot'];
  /** Short label. */
  readonly word: string;
  /** Nothing more happens automatically. */
  readonly isOver: boolean;
}

const state = (dot: JobState['dot'], word: string, isOver = false): JobState => ({ dot, word, isOver });

/** Returns the state of a job. `isProfileThere`: the profile it was submitted with still exists. */
export function stateOf(job: MediaJob, isProfileThere: boolean): JobState {
  const isEnded = job.stage === 'ended' || job.stage === 'refused' || job.stage === 'unknown';
  if (!isEnded && !isProfileThere) return state('doubt', l10n.t('Its profile is gone'), true);
  switch (job.stage) {
    case 'preparing':
      return state('waiting', l10n.t('Preparing'));
    case 'submitting':
      return state('working', l10n.t('Being sent'));
    case 'unknown':
      return state('doubt', l10n.t('The answer was lost: it may have been paid'), true);
    case 'refused':
      return refusedState(job);
    case 'running':
      return runningState(job);
    case 'fetching':
      return fetchingState(job);
    case 'ended':
      return endedState(job);
  }
}

/** Whether the job is over for good and saved no file. */
export function isFailed(job: MediaJob): boolean {
  return stateOf(job, true).dot === 'failed';
}

function refusedState({ trouble }: MediaJob): JobState {
  const isOurs = trouble?.kind === 'interrupted' || trouble?.kind === 'input';
  return state('failed', isOurs ? l10n.t('Not sent') : l10n.t('Refused'), true);
}

function runningState({ status, trouble }: MediaJob): JobState {
  const isOver = trouble?.isFinal === true;
  if (trouble?.kind === 'addressChanged') return state('doubt', l10n.t('Its service has another address'), true);
  if (trouble?.kind === 'gone') return state('doubt', l10n.t('Not known to the service'), isOver);
  if (trouble?.kind === 'noResults') return state('doubt', withoutAddress(), isOver);
  switch (status?.toLowerCase()) {
    case undefined:
      return state('waiting', l10n.t('Sent'), isOver);
    case 'inqueue':
      return state('waiting', l10n.t('In queue'), isOver);
    case 'inprogress':
      return state('working', l10n.t('In progress'), isOver);
    case 'succeed':
      return state('working', l10n.t('Made'), isOver);
    default:
      return state('working', l10n.t('The service says: {0}', status ?? ''), isOver);
  }
}

function fetchingState({ trouble }: MediaJob): JobState {
  if (!trouble) return state('working', l10n.t('Being saved'));
  const isOver = trouble.isFinal === true;
  if (trouble.kind === 'expired') return state('doubt', addressExpired(), isOver);
  if (trouble.kind === 'tooLarge') return state('doubt', l10n.t('Larger than usual: not saved yet'), isOver);
  return state('doubt', l10n.t('Not saved yet'), isOver);
}

function endedState({ results = [], trouble }: MediaJob): JobState {
  if (results.some(({ path }) => path !== undefined)) return state('done', l10n.t('Done'), true);
  if (trouble?.kind === 'failed') return state('failed', l10n.t('Failed'), true);
  if (trouble?.kind === 'expired') return state('failed', addressExpired(), true);
  if (trouble?.kind === 'noResults') return state('doubt', withoutAddress(), true);
  return state('failed', l10n.t('Not saved'), true);
}

const withoutAddress = () => l10n.t('Succeed without a URL');
const addressExpired = () => l10n.t('The address had expired');
