import type { ImagesStrings } from '../../../src/protocol/imagesStrings';
import type { ImagesSession } from './session';

/** What every part of the page gets. */
export interface Images {
  readonly session: ImagesSession;
  readonly strings: ImagesStrings;
}
