import type { BatchSubmitStrings } from '../../../src/protocol/batchSubmitStrings';
import type { SubmitSession } from './session';

/** Shared by the components of the page. */
export interface Submit {
  readonly session: SubmitSession;
  readonly strings: BatchSubmitStrings;
}
