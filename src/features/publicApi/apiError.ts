import { withoutAddresses } from '../../core/agentTools/errorMessages';
import { isApiError } from '../../core/api/errors';
import type { ApiError, ApiErrorKind } from '../../core/api/errors';
import { isBudgetRefusal } from '../../core/usage/dayTokens';
import { describe } from '../../platform/errors/reportError';
import type { InferenceDeskError, InferenceDeskErrorCode, Reranking } from './inferenceDesk';
import { titled } from '../../protocol/sentences';

/** Kinds with the same code leave a person or a caller the same options. */
const codes: Readonly<Record<ApiErrorKind, InferenceDeskErrorCode>> = {
  auth: 'signedOut',
  permission: 'refused',
  balance: 'balance',
  invalidParameter: 'invalidInput',
  badRequest: 'refused',
  unknownModel: 'unknownModel',
  tooLong: 'refused',
  notFound: 'refused',
  notOffered: 'notOffered',
  rateLimit: 'rateLimited',
  overloaded: 'unavailable',
  server: 'unavailable',
  network: 'network',
  proxy: 'network',
  certificate: 'network',
  timeout: 'network',
  aborted: 'network',
  truncated: 'badAnswer',
  badResponse: 'badAnswer',
  unsafeUrl: 'badAnswer',
  tooLarge: 'badAnswer',
  file: 'failed',
};

export type DeskErrorFacts = Pick<InferenceDeskError, 'parameter' | 'retryAfterMs' | 'maybeBilled' | 'partial'>;

/** The only error other extensions see. Has no cause, because that may contain the address of the service. */
export class DeskError extends Error implements InferenceDeskError {
  override readonly name = 'InferenceDeskError';
  declare readonly parameter?: string;
  declare readonly retryAfterMs?: number;
  declare readonly maybeBilled?: true;
  declare readonly partial?: Reranking;

  constructor(
    readonly code: InferenceDeskErrorCode,
    message: string,
    facts: DeskErrorFacts = {},
  ) {
    // Messages of a service or of the system may contain addresses.
    super(withoutAddresses(message));
    Object.assign(this, facts);
  }
}

/** Converts any error to one for other extensions. */
export function toDeskError(error: unknown): DeskError {
  if (error instanceof DeskError) return error;
  const { title, detail } = describe(error);
  const words = titled(title, detail);
  if (isApiError(error)) return new DeskError(codes[error.kind], words, factsOf(error));
  return new DeskError(isBudgetRefusal(error) ? 'budget' : 'failed', words);
}

function factsOf({ details: { parameter, retryAfterMs, maybeBilled } }: ApiError): DeskErrorFacts {
  return {
    ...(parameter !== undefined && { parameter }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(maybeBilled && { maybeBilled }),
  };
}
