import type { VideosStrings } from '../../../src/protocol/videosStrings';
import type { VideosSession } from './session';

/** What every part of the page is given. */
export interface Videos {
  readonly session: VideosSession;
  readonly strings: VideosStrings;
}
