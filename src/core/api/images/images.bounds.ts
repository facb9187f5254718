import type { Bounds } from '../bounds';
import type { ImageRequest } from './images.schema';

export const imageBounds: Bounds<ImageRequest> = {
  model: { minLength: 1 },
  prompt: { minLength: 1 },
  // The five sizes of FLUX.2; other models have others.
  image_size: { minLength: 1, advised: { oneOf: ['512x512', '768x1024', '1024x768', '576x1024', '1024x576'] } },
  // Exceeds 32 bits, but is exact as a number.
  seed: { integer: true, min: 0, max: 9_999_999_999 },
  output_format: { oneOf: ['png', 'jpeg'] },
  batch_size: { integer: true, min: 1, advised: { max: 4 } },
  num_inference_steps: { integer: true, min: 1 },
};
