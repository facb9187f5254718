import type { ImageRequest } from '../api/images/images.schema';
import { refusedAmong } from '../parameters/refusal';
import type { Refusal } from '../parameters/refusal';
import type { ImageParameter } from './imageModels';

/** An everyday word counts as a name only if it is quoted, or if a field of that name is mentioned. */
const named = (name: string) =>
  new RegExp(`[\`'"]${name}[\`'"]|\\b(field|parameter)\\b.*\\b${name}\\b|^\\W*${name}:`, 'i');

const either = (...patterns: readonly RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'), 'i');

/** OpenAI's names for two of them. */
const otherNames: Readonly<Record<string, ImageParameter>> = { size: 'image_size', n: 'batch_size' };

/** How services word a parameter if they do not use its wire name. Longer names come first. */
const wordsFor: Readonly<Record<ImageParameter, RegExp>> = {
  negative_prompt: /\bnegative[_ -]?prompt\b/i,
  num_inference_steps: /\bnum[_ -]?inference[_ -]?steps\b|\binference steps\b/i,
  guidance_scale: /\bguidance[_ -]?scale\b/i,
  prompt_upsampling: /\bprompt[_ -]?upsampling\b/i,
  safety_tolerance: /\bsafety[_ -]?tolerance\b/i,
  output_format: /\boutput[_ -]?format\b/i,
  aspect_ratio: /\baspect[_ -]?ratio\b/i,
  image_size: either(/\bimage[_ -]?size\b/i, named('size')),
  batch_size: either(/\bbatch[_ -]?size\b/i, named('n')),
  input_image: /\binput[_ -]image\b/i,
  image2: /\bimage2\b/i,
  image3: /\bimage3\b/i,
  cfg: named('cfg'),
  seed: named('seed'),
  image: named('image'),
};

/** Returns the sent parameter that a rejection is about, or `undefined`. */
export function refusedImageParameter(refusal: Refusal, request: ImageRequest): ImageParameter | undefined {
  const names = Object.keys(wordsFor) as readonly ImageParameter[];
  const sent = names.filter((name) => request[name] !== undefined && request[name] !== null);
  const { parameter = '' } = refusal;
  return refusedAmong({ ...refusal, parameter: otherNames[parameter] ?? parameter }, sent, (name) => wordsFor[name]);
}
