import type { ImageForm } from './images';

export const inputFields = ['image', 'image2', 'image3', 'input_image'] as const;

/** A form with nothing set. */
export const emptyImageForm: ImageForm = {
  model: '',
  prompt: '',
  image_size: '',
  seed: '',
  output_format: '',
  negative_prompt: '',
  batch_size: '',
  num_inference_steps: '',
  guidance_scale: '',
  cfg: '',
  aspect_ratio: '',
  prompt_upsampling: '',
  safety_tolerance: '',
  image: '',
  image2: '',
  image3: '',
  input_image: '',
  isSeveral: false,
  eachLine: false,
  alternatives: false,
  seeds: 'one',
  seedCount: '4',
  sizes: [],
};
