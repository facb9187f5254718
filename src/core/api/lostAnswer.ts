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

/** Whether a failed upload may still have reached the service, so that only the service's own list can show it. */
export function mayHaveArrived(error: unknown): boolean {
  if (isApiError(error)) return withoutAnswer.has(error.kind) && error.details.sent !== false;
  return error instanceof Error && error.name === 'AbortError';
}
