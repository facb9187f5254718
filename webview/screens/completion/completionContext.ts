import type { Announcer } from '../../components/announcer';
import type { CompletionSession } from './session';

/** Shared by the components of the page. */
export interface Completing {
  readonly session: CompletionSession;
  readonly announcer: Announcer;
}
