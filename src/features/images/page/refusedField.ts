import { refusedImageParameter } from '../../../core/imageRuns/refusedImageParameter';
import type { ImageRun } from '../../../core/imageRuns/imageRun';
import { l10n } from 'vscode';
import type { MediaJob } from '../../../services/media/media';
import type { ImagesPage } from '../../../protocol/images';

/** Returns the form field whose value the service refused in a run, if its response says which. */
export function refusedField(
  { items }: ImageRun,
  jobOf: (id: string) => MediaJob | undefined,
): ImagesPage['refused'] | undefined {
  for (const { jobId, request, state } of items) {
    // For a request that is being retried, this is not known yet.
    const job = jobId === undefined || state !== 'ordered' ? undefined : jobOf(jobId);
    const error = job?.stage === 'refused' ? job.trouble?.error : undefined;
    if (error?.kind !== 'badRequest') continue;
    const field = refusedImageParameter({ parameter: error.parameter, message: error.message }, request);
    if (field !== undefined) return { field, text: l10n.t('The service refused this value.') };
  }
  return undefined;
}
