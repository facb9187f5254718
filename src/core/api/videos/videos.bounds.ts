import type { Bounds } from '../bounds';
import type { VideoRequest } from './videos.schema';

/** Matches the ids of models that generate a video from an image: the service has no filter for them. */
export const imageToVideo = /i2v|image-to-video/i;

export const videoBounds: Bounds<VideoRequest> = {
  model: { minLength: 1 },
  prompt: { minLength: 1 },
  image_size: { minLength: 1 },
  seed: { integer: true },
  image: { advised: { models: imageToVideo } },
};
