import type { MediaJob } from '../../../services/media/media';

/** Whether the job proceeds without user action. */
export function isUnderWay({ stage, trouble }: MediaJob): boolean {
  if (stage === 'preparing' || stage === 'submitting') return true;
  return (stage === 'running' || stage === 'fetching') && !trouble?.isFinal && !isHalted(trouble?.kind);
}

/** Blocked until the profile, or its base URL, is restored. */
function isHalted(kind: string | undefined): boolean {
  return kind === 'profileGone' || kind === 'addressChanged';
}
