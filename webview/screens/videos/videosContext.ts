import type { VideosStrings } from '../../../src/protocol/videosStrings';
import type { VideosSession } from './session';

/** Shared by the components of the page. */
export interface Videos {
  readonly session: VideosSession;
  readonly strings: VideosStrings;
}
