import type { CompletionStrings } from '../../../src/protocol/completionStrings';
import type { Announcer } from '../../components/announcer';
import type { CompletionSession } from './session';

/** What the parts of the page share. */
export interface Completing {
  readonly session: CompletionSession;
  readonly strings: CompletionStrings;
  readonly announcer: Announcer;
}
