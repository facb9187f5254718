import { isApiError } from './errors';
import type { ApiErrorKind } from './errors';

const withoutAnswer: ReadonlySet<ApiErrorKind> = new Set([
  'network',
  'timeout',
  'aborted',
  'truncated',
  'badResponse',
  'server',
  'overloaded',
  'proxy',
]);

/** Whether what was uploaded may have reached the service although it failed, so that only the service's list can tell. */
export function mayHaveArrived(error: unknown): boolean {
  if (isApiError(error)) return withoutAnswer.has(error.kind) && error.details.sent !== false;
  return error instanceof Error && error.name === 'AbortError';
}
