import type { Announcer } from '../../components/announcer';
import type { PreviewSession } from './session';

/** Shared by the components of the page. */
export interface Preview {
  readonly session: PreviewSession;
  readonly announcer: Announcer;
}
