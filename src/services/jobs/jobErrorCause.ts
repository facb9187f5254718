import { ApiError } from '../../core/api/errors';
import type { JobError } from '../../core/jobs/job';
import type { WireError } from '../../protocol/wire';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { describe } from '../../platform/errors/reportError';
import { sentence, titled } from '../../protocol/sentences';

/** Returns why a call or a disk access failed, in the usual localized words; for any other error, its own message. */
export function causeText(trouble: JobError): string {
  const error = jobErrorOnWire(trouble);
  return error ? titled(error.title, error.detail) : sentence(reasonText(originOf(trouble)));
}

/** Returns the failed call behind a job's error, localized as usual, or `undefined` if there was no call. */
export function jobErrorOnWire(trouble: JobError): WireError | undefined {
  const { error } = trouble;
  return error && describe(new ApiError({ ...error, cause: originOf(trouble) }));
}

function originOf({ message, causeCode }: JobError): Error {
  return Object.assign(new Error(message), { code: causeCode });
}
