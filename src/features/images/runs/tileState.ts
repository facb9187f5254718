import { l10n } from 'vscode';
import { isLost } from '../../../core/jobs/media/mediaJob';
import type { Asset, MediaJob } from '../../../services/media/media';
import type { ImageTile } from '../../../protocol/images';
import type { WireAction } from '../../../protocol/wire';
import { jobProblem } from './submitOutcome';
import type { TilePlace } from './tileView';

type State = Pick<ImageTile, 'state' | 'title' | 'detail' | 'actions'>;

const steps = {
  again: () => l10n.t('Retry'),
  fetch: () => l10n.t('Fetch again'),
  fetchAnyway: () => l10n.t('Fetch anyway'),
  exchange: () => l10n.t('Show exchange'),
} as const;
export type TileStep = keyof typeof steps;

export function isTileStep(id: string): id is TileStep {
  return Object.hasOwn(steps, id);
}

const step = (id: TileStep): WireAction => ({ id, label: steps[id]() });
const told = (state: ImageTile['state'], title: string, detail = '', ids: readonly TileStep[] = []): State => ({
  state,
  title,
  detail,
  actions: ids.map(step),
});

/** Returns the state of an image, its text, and its actions. `known`: what is known about its file. */
export function stateOf({ item, job, path }: TilePlace, known: Asset | 'gone' | undefined, sendingNote: string): State {
  if (known === 'gone')
    return told('gone', l10n.t('The file is not there any more'), l10n.t('It was moved or deleted.'));
  if (path !== undefined) return told(known ? 'shown' : 'saving', known ? '' : l10n.t('Saving'));
  switch (item.state) {
    case 'waiting':
      return told('waiting', l10n.t('Waits for its turn'));
    case 'sending':
      return told('sending', l10n.t('Being made'), sendingNote);
    case 'notSent':
      if (!item.trouble) return told('notSent', l10n.t('Not sent'));
      return told('failed', item.trouble.title, item.trouble.detail, ['again']);
    case 'rejected':
      return told('failed', item.trouble?.title ?? l10n.t('Failed'), item.trouble?.detail, ['again']);
    case 'ordered':
      return job
        ? jobState(job)
        : told('gone', l10n.t('Nothing more is known of it'), l10n.t('Its record was removed.'));
  }
}

function jobState(job: MediaJob): State {
  const { stage, trouble } = job;
  switch (stage) {
    case 'preparing':
    case 'submitting':
      return told('sending', l10n.t('Being made'));
    case 'unknown':
      return told('lost', l10n.t('No response'), l10n.t('You may have been charged. We won’t retry automatically.'), [
        'again',
        ...exchangeOf(job),
      ]);
    case 'refused': {
      const { title, detail } = jobProblem(job);
      return told('failed', title || l10n.t('Failed'), detail, ['again', ...exchangeOf(job)]);
    }
    case 'running':
    case 'fetching':
    case 'ended':
      if (!trouble) return told('saving', l10n.t('Saving'));
      return unsaved(job, trouble.message);
  }
}

function unsaved(job: MediaJob, detail: string): State {
  const kind = job.trouble?.kind;
  if (isLost(job))
    return told('failed', kind === 'expired' ? l10n.t('Not saved') : l10n.t('No picture came'), detail, [
      'again',
      ...exchangeOf(job),
    ]);
  if (kind === 'tooLarge') return told('notSaved', l10n.t('The picture is very large'), detail, ['fetchAnyway']);
  if (kind === 'savedElsewhere') return told('saving', l10n.t('Saving'), detail);
  return told('notSaved', l10n.t('Not saved yet'), detail, ['fetch']);
}

function exchangeOf({ trouble }: MediaJob): readonly TileStep[] {
  return trouble?.error?.exchangeId === undefined ? [] : ['exchange'];
}
