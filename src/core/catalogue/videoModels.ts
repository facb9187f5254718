import { imageToVideo } from '../api/videos/videos.bounds';
import type { CatalogueModel } from './model';

/** Whether a model makes videos of a first picture: it needs one, refuses one, or nothing tells. */
export function imageUse({ id, subTypes }: Pick<CatalogueModel, 'id' | 'subTypes'>): 'needed' | 'refused' | 'unknown' {
  if (imageToVideo.test(id)) return 'needed';
  return subTypes.includes('text-to-video') ? 'refused' : 'unknown';
}
