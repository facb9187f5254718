import type { Bounds } from '../bounds';
import type { VideoRequest } from './videos.schema';

export const videoBounds: Bounds<VideoRequest> = {
  model: { minLength: 1 },
  prompt: { minLength: 1 },
  image_size: { oneOf: ['1280x720', '720x1280', '960x960'] },
  seed: { integer: true },
  image: { advised: { models: /i2v|image-to-video/i } },
};
