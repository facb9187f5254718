import type { ImagesStrings } from '../../../src/protocol/imagesStrings';
import type { ImagesSession } from './session';

/** Shared by the components of the page. */
export interface Images {
  readonly session: ImagesSession;
  readonly strings: ImagesStrings;
}
