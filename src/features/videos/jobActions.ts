import { l10n } from 'vscode';
import type { MediaJob } from '../../services/media/media';
import type { VideoJob, VideoJobAction } from '../../protocol/videos';

type Action = VideoJob['actions'][number];

/** Returns the actions for a job itself, apart from those for its files. `isFileHere`: at least one of its files is on disk. */
export function actionsOf(job: MediaJob, isFileHere: boolean): readonly Action[] {
  return idsOf(job, isFileHere).map((id) => ({ id, ...wordsOf(id, job) }));
}

function idsOf({ stage, trouble }: MediaJob, isFileHere: boolean): readonly VideoJobAction[] {
  switch (stage) {
    case 'preparing':
    case 'submitting':
      return [];
    case 'unknown':
    case 'refused':
      return ['submitAgain', 'fillForm', 'forget'];
    case 'running':
      return ['checkNow', 'fillForm', 'forget'];
    case 'fetching':
      if (!trouble) return ['forget'];
      return [trouble.kind === 'tooLarge' ? 'fetchAnyway' : 'fetchAgain', 'submitAgain', 'fillForm', 'forget'];
    case 'ended': {
      if (isFileHere) return ['forget'];
      const rest = ['submitAgain', 'fillForm', 'forget'] as const;
      if (trouble?.kind === 'noResults') return ['checkNow', ...rest];
      return trouble && trouble.kind !== 'failed' ? ['fetchAgain', ...rest] : rest;
    }
  }
}

function wordsOf(id: VideoJobAction, { stage }: MediaJob): Omit<Action, 'id'> {
  switch (id) {
    case 'checkNow':
      return { label: l10n.t('Check now') };
    case 'fetchAgain':
      return { label: l10n.t('Fetch again'), hint: l10n.t('Asks the service for its address anew; nothing is paid') };
    case 'fetchAnyway':
      return { label: l10n.t('Fetch anyway') };
    case 'submitAgain':
      return stage === 'refused'
        ? { label: l10n.t('Submit again'), hint: l10n.t('Nothing was paid for it so far') }
        : { label: l10n.t('Submit again (paid again)') };
    case 'fillForm':
      return { label: l10n.t('Fill the form with it') };
    case 'forget':
      return { label: l10n.t('Forget this order'), hint: l10n.t('Takes it from this list; a saved video stays') };
  }
}
