import type { MediaJob } from '../../../services/media/media';

/** Whether it goes on by itself. */
export function isUnderWay({ stage, trouble }: Pick<MediaJob, 'stage' | 'trouble'>): boolean {
  if (stage === 'preparing' || stage === 'submitting') return true;
  return (stage === 'running' || stage === 'fetching') && !trouble?.isFinal && !isHalted(trouble?.kind);
}

/** Until something else is as it was. */
function isHalted(kind: string | undefined): boolean {
  return kind === 'profileGone' || kind === 'addressChanged';
}
