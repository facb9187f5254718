import { imageToVideo } from '../api/videos/videos.bounds';
import type { CatalogueModel } from './model';

/** Whether a model requires or rejects a first image. `unknown` without evidence. */
export function imageUse(id: string, subTypes: CatalogueModel['subTypes'] = []): 'needed' | 'refused' | 'unknown' {
  if (imageToVideo.test(id)) return 'needed';
  return subTypes.includes('text-to-video') ? 'refused' : 'unknown';
}
