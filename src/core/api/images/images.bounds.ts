import type { Bounds } from '../bounds';
import type { ImageRequest } from './images.schema';

export const imageBounds: Bounds<ImageRequest> = {
  model: { minLength: 1 },
  prompt: { minLength: 1 },
  image_size: { minLength: 1 },
  // Exceeds 32 bits, but is exact as a number.
  seed: { integer: true, min: 0, max: 9_999_999_999 },
  output_format: { oneOf: ['png', 'jpeg', 'webp'] },
  batch_size: { integer: true, min: 1, advised: { max: 10 } },
  num_inference_steps: { integer: true, min: 1 },
};
