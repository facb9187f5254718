import type { BatchSubmitStrings } from '../../../src/protocol/batchSubmitStrings';
import type { SubmitSession } from './session';

/** What every part of the page is given. */
export interface Submit {
  readonly session: SubmitSession;
  readonly strings: BatchSubmitStrings;
}
