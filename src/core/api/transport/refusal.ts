import type { ApiErrorKind } from '../errors';
import { ApiError } from '../errors';
import { isPathNotFound, toApiError } from '../parseError';
import type { ApiCall, HttpResponse } from './transport';

export interface RefusalContext {
  readonly call: ApiCall;
  readonly endpoint: string;
  readonly baseUrl: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Every service has a model list: if it is missing, the base URL is wrong. */
export function isModelList(endpoint: string): boolean {
  return endpoint === 'GET /models';
}

/**
 * Returns the error for a response with a status of 300 or above. Distinguishes a missing endpoint from a missing id, and both from
 * an address that leads elsewhere.
 */
export function toRefusal({ status, headers }: HttpResponse, body: string, context: RefusalContext): ApiError {
  const error = toApiError({ status, headers, body, now: context.now });
  const { kind, hint } = placeOf(error, body, context);
  return new ApiError({ kind, message: error.message, sent: true, ...error.details, ...(hint ? { hint } : {}) });
}

interface Place {
  readonly kind: ApiErrorKind;
  readonly hint?: 'missingVersion' | 'wrongBaseUrl';
}

function placeOf({ kind, details }: ApiError, body: string, { call, endpoint, baseUrl }: RefusalContext): Place {
  if (details.status === 404 && isPathNotFound(body)) {
    if (!/\/v\d+(\/|$)/.test(new URL(baseUrl).pathname)) return { kind: 'notFound', hint: 'missingVersion' };
    return isModelList(endpoint) ? { kind: 'notFound', hint: 'wrongBaseUrl' } : { kind: 'notOffered' };
  }
  // A 410 below a path with an id concerns that id only.
  return { kind: details.status === 410 && call.route !== undefined ? 'notFound' : kind };
}
