import { isApiError } from '../api/errors';
import { systemCode } from '../network/systemCode';
import type { JobError } from './job';

/** Converts any error into data. */
export function toJobError(error: unknown, kind: JobError['kind']): Omit<JobError, 'at'> {
  const code = systemCode(error);
  const cause = code === undefined ? {} : { causeCode: code };
  if (!isApiError(error)) return { kind, message: error instanceof Error ? error.message : String(error), ...cause };
  const { kind: what, message, details } = error;
  return { kind, message, error: { ...details, kind: what, message }, ...cause };
}
