// https://docs.siliconflow.com/en/api-reference/images/images-generations
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';

/** Support for the parameters from `negative_prompt` on differs by model. */
export const imageRequest = z.strictObject({
  model: z.string(),
  prompt: z.string(),
  /** `<width>x<height>`. The vendor's five sizes apply to one model only. */
  image_size: z.nullish(z.string()),
  seed: z.nullish(z.number()),
  output_format: z.nullish(z.string()),
  negative_prompt: z.nullish(z.string()),
  batch_size: z.nullish(z.number()),
  num_inference_steps: z.nullish(z.number()),
  guidance_scale: z.nullish(z.number()),
  cfg: z.nullish(z.number()),
  /** A URL or a `data:image/…;base64,` URI. */
  image: z.nullish(z.string()),
  image2: z.nullish(z.string()),
  image3: z.nullish(z.string()),
  input_image: z.nullish(z.string()),
  aspect_ratio: z.nullish(z.string()),
  prompt_upsampling: z.nullish(z.boolean()),
  safety_tolerance: z.nullish(z.number()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type ImageRequest = Immutable<z.infer<typeof imageRequest>>;

/** A 200 may have `code` and `message` but no images; the schema rejects it. */
export const imageResponse = z.looseObject({
  images: z.array(z.looseObject({ url: z.string() })),
  timings: z.nullish(z.looseObject({ inference: z.nullish(z.number()) })),
  seed: z.nullish(z.number()),
});

export interface GeneratedImages {
  /** Each address is valid for one hour. */
  readonly images: readonly { readonly url: string }[];
  readonly seed?: number;
  /** How many seconds the service took. */
  readonly inferenceSeconds?: number;
}
