import type { ImageRequest } from '../api/images/images.schema';

/** The parameters of a request besides model and prompt. */
export type ImageParameter = Exclude<keyof ImageRequest, 'model' | 'prompt'>;

/** Facts about a family of models. A parameter not in `notTaken` might be accepted, so it can be set. */
export interface ImageModelFacts {
  /** Sizes its documentation lists, the usual one first; empty if the model takes a ratio in place of a size. */
  readonly sizes: readonly string[];
  readonly ratios: readonly string[];
  readonly notTaken: readonly ImageParameter[];
  /** The model edits an image, which the request must include. */
  readonly needsImage: boolean;
  /** Whether the model is of a known family. */
  readonly isKnown: boolean;
}

/** Sizes from the API specification. */
const commonSizes = ['512x512', '768x1024', '1024x768', '576x1024', '1024x576'];
const tuning = ['negative_prompt', 'batch_size', 'num_inference_steps', 'guidance_scale', 'cfg'] as const;
const inputs = ['image', 'image2', 'image3'] as const;
const kontextOnly = ['input_image', 'aspect_ratio', 'prompt_upsampling', 'safety_tolerance'] as const;
const qwenSizes = ['1328x1328', '1664x928', '928x1664', '1472x1140', '1140x1472', '1584x1056', '1056x1584'];

interface Family extends Partial<ImageModelFacts> {
  readonly models: RegExp;
}

/**
 * From the vendor's pages for each model, as of 2026-10: https://docs.siliconflow.com/en/api-reference/images/images-generations
 * and https://docs.siliconflow.cn/cn/api-reference/images/images-generations; the sizes of Qwen-Image and the ratios of Kontext are
 * also on their makers' pages, https://github.com/QwenLM/Qwen-Image and https://docs.bfl.ai/kontext/kontext_overview. The first
 * match applies.
 */
const families: readonly Family[] = [
  { models: /\bFLUX\.2/i, notTaken: [...tuning, ...inputs, 'aspect_ratio'] },
  {
    models: /\bKontext\b/i,
    sizes: [],
    ratios: ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9', '9:21'],
    notTaken: [...tuning, ...inputs, 'image_size'],
  },
  { models: /Qwen-Image-Edit-25/i, sizes: qwenSizes, notTaken: kontextOnly, needsImage: true },
  { models: /Qwen-Image-Edit/i, sizes: qwenSizes, notTaken: [...kontextOnly, 'image2', 'image3'], needsImage: true },
  { models: /Qwen-Image/i, sizes: qwenSizes, notTaken: [...kontextOnly, ...inputs] },
  {
    models: /\bKolors\b/i,
    sizes: ['1024x1024', '960x1280', '768x1024', '720x1440', '720x1280'],
    notTaken: [...kontextOnly, 'cfg', 'image2', 'image3'],
  },
  // https://platform.openai.com/docs/guides/image-generation
  { models: /\bgpt-image/i, sizes: ['1024x1024', '1536x1024', '1024x1536'] },
  { models: /\bdall-e-3/i, sizes: ['1024x1024', '1792x1024', '1024x1792'] },
  { models: /\bdall-e-2/i, sizes: ['1024x1024', '512x512', '256x256'] },
];

/** Returns facts about a model, or only the general ones for an unknown model. */
export function imageModelFacts(model: string): ImageModelFacts {
  const family = families.find(({ models }) => models.test(model));
  const { models: _models, ...known } = family ?? { models: /^/ };
  const isKnown = family !== undefined;
  return { sizes: commonSizes, ratios: [], notTaken: [], needsImage: false, isKnown, ...known };
}

/** Returns the request field for a model's image to edit, or `undefined` if it accepts none or is unknown. */
export function editField(model: string): 'image' | 'input_image' | undefined {
  const { isKnown, notTaken, needsImage } = imageModelFacts(model);
  if (needsImage) return 'image';
  if (!isKnown || notTaken.length === 0) return undefined;
  return (['image', 'input_image'] as const).find((field) => !notTaken.includes(field));
}

/** Returns the model to edit an image with: `preferred` if it takes one, else one made for it, else any that takes one. */
export function editModel(preferred: string, models: readonly string[]): string | undefined {
  if (editField(preferred) !== undefined) return preferred;
  return (
    models.find((model) => imageModelFacts(model).needsImage) ?? models.find((model) => editField(model) !== undefined)
  );
}

/** Parses a size in pixels; `undefined` if it is not a size. */
export function readSize(size: string): { readonly width: number; readonly height: number } | undefined {
  const [, width, height] = /^\s*(\d{1,5})\s*[xX×*]\s*(\d{1,5})\s*$/.exec(size) ?? [];
  const found = { width: Number(width), height: Number(height) };
  return found.width > 0 && found.height > 0 ? found : undefined;
}

/** Formats a size as in a request. */
export function sizeText({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${width}x${height}`;
}
