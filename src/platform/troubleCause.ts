import { ApiError } from '../core/api/errors';
import type { JobTrouble } from '../core/jobs/job';
import type { WireError } from '../protocol/wire';
import { describe } from './reportError';
import { sentence, titled } from '../protocol/sentences';

/** Why a call failed, as it is told everywhere else; its own words where it was no call. */
export function causeText(trouble: JobTrouble): string {
  const error = troubleError(trouble);
  return error ? titled(error.title, error.detail) : sentence(trouble.message);
}

/** The call a trouble came from, as its failure is told everywhere else; `undefined` where it came from none. */
export function troubleError({ error, causeCode }: JobTrouble): WireError | undefined {
  if (!error) return undefined;
  const origin = causeCode === undefined ? undefined : Object.assign(new Error(causeCode), { code: causeCode });
  return describe(new ApiError({ ...error, cause: origin }));
}
