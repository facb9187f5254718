import { withoutAddresses } from '../../core/agentTools/errorMessages';
import { errorKinds } from '../../core/api/errorKinds';
import { isApiError } from '../../core/api/errors';
import type { ApiError } from '../../core/api/errors';
import { isBudgetRefusal } from '../../core/usage/dayTokens';
import { describe } from '../../platform/errors/reportError';
import type { InferenceDeskError, InferenceDeskErrorCode, Reranking } from './logic/inferenceDesk';
import { titled } from '../../protocol/sentences';

export type DeskErrorFacts = Pick<InferenceDeskError, 'parameter' | 'retryAfterMs' | 'maybeBilled' | 'partial'>;

/** The only error other extensions see. Has no cause, because that may contain the address of the service. */
export class PublicApiError extends Error implements InferenceDeskError {
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
export function toPublicApiError(error: unknown): PublicApiError {
  if (error instanceof PublicApiError) return error;
  const { title, detail } = describe(error);
  const words = titled(title, detail);
  if (isApiError(error)) return new PublicApiError(errorKinds[error.kind].publicCode, words, factsOf(error));
  return new PublicApiError(isBudgetRefusal(error) ? 'budget' : 'failed', words);
}

function factsOf({ details: { parameter, retryAfterMs, maybeBilled } }: ApiError): DeskErrorFacts {
  return {
    ...(parameter !== undefined && { parameter }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(maybeBilled && { maybeBilled }),
  };
}
