import type { ImageRequest } from '../../../core/api/images/images.schema';
import { emptyImageForm } from '../../../protocol/imageForm';
import type { ImageForm } from '../../../protocol/images';
import { imageForm } from '../../../protocol/images';

const names = [
  'model',
  'prompt',
  'image_size',
  'seed',
  'output_format',
  'negative_prompt',
  'batch_size',
  'num_inference_steps',
  'guidance_scale',
  'cfg',
  'aspect_ratio',
  'safety_tolerance',
  'image',
  'image2',
  'image3',
  'input_image',
] as const satisfies readonly (keyof ImageForm & keyof ImageRequest)[];

/** Returns the form for this request, leaving out what a later version or another author added, and values too long for a field. */
export function toForm(request: ImageRequest): ImageForm {
  const texts = names.flatMap((name) => {
    const value: unknown = request[name];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const text = imageForm.shape[name].safeParse(String(value));
    return text.success ? [[name, text.data]] : [];
  });
  const { prompt_upsampling: isLonger } = request;
  const upsampling = typeof isLonger === 'boolean' ? { prompt_upsampling: isLonger ? 'on' : 'off' } : {};
  return { ...emptyImageForm, ...Object.fromEntries(texts), ...upsampling };
}
