import { isHalted } from '../../../core/jobs/jobOutcome';
import type { MediaJob } from '../../../services/media/media';

/** Whether the job proceeds without user action. */
export function isUnderWay(job: MediaJob): boolean {
  const { stage, lastError } = job;
  if (stage === 'preparing' || stage === 'submitting') return true;
  return (stage === 'running' || stage === 'fetching') && !lastError?.isFinal && !isHalted(job);
}
