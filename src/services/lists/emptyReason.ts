import { isApiError } from '../../core/api/errors';
import type { ApiErrorKind } from '../../core/api/errorKinds';
import type { RowsState } from '../../platform/contributions';
import { isUserError } from '../../platform/errors/userError';

const offlineKinds: readonly ApiErrorKind[] = ['network', 'proxy', 'certificate', 'timeout'];

/**
 * Returns why a list that couldn't be loaded is empty, classified by what the user can do about it. `failed`: for none of the other
 * reasons.
 */
export function emptyReason(error: unknown): Exclude<RowsState, 'loading' | 'rows' | 'empty'> | 'failed' {
  if (isUserError(error)) return error.actions.some(({ id }) => id === 'tryDemo') ? 'demoStopped' : 'failed';
  if (!isApiError(error)) return 'failed';
  if (error.kind === 'auth') return 'badKey';
  if (error.kind === 'notOffered') return 'notOffered';
  return offlineKinds.includes(error.kind) ? 'offline' : 'failed';
}
