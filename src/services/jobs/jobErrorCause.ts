import { ApiError } from '../../core/api/errors';
import type { JobError } from '../../core/jobs/job';
import type { WireError } from '../../protocol/wire';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { describe } from '../../platform/errors/reportError';
import { sentence, titled } from '../../protocol/sentences';

/** Why a call failed or the disk refused, as it is told everywhere else; its own words where it was neither. */
export function causeText(trouble: JobError): string {
  const error = jobErrorOnWire(trouble);
  return error ? titled(error.title, error.detail) : sentence(reasonText(originOf(trouble)));
}

/** The call a trouble came from, as its failure is told everywhere else; `undefined` where it came from none. */
export function jobErrorOnWire(trouble: JobError): WireError | undefined {
  const { error } = trouble;
  return error && describe(new ApiError({ ...error, cause: originOf(trouble) }));
}

function originOf({ message, causeCode }: JobError): Error {
  return Object.assign(new Error(message), { code: causeCode });
}
