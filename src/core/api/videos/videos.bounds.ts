import type { Bounds } from '../bounds';
import type { VideoRequest } from './videos.schema';

/** Models that make a video of a picture are known by their ids: no filter of the service names them. */
export const imageToVideo = /i2v|image-to-video/i;

export const videoBounds: Bounds<VideoRequest> = {
  model: { minLength: 1 },
  prompt: { minLength: 1 },
  image_size: { oneOf: ['1280x720', '720x1280', '960x960'] },
  seed: { integer: true },
  image: { advised: { models: imageToVideo } },
};
