import type { GalleryStrings } from '../../../src/protocol/galleryStrings';
import type { OpenMenu } from '../../components/menu';
import type { GallerySession } from './session';

export interface Gallery {
  readonly session: GallerySession;
  readonly strings: GalleryStrings;
  readonly openMenu: OpenMenu;
}
