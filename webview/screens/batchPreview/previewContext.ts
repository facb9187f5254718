import type { BatchPreviewStrings } from '../../../src/protocol/batchPreviewStrings';
import type { Announcer } from '../../components/announcer';
import type { PreviewSession } from './session';

/** What every part of the page is given. */
export interface Preview {
  readonly session: PreviewSession;
  readonly strings: BatchPreviewStrings;
  readonly announcer: Announcer;
}
