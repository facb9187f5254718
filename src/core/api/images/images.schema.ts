// https://docs.siliconflow.com/en/api-reference/images/images-generations
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { listIn } from '../envelope';
import { entriesOf, lenient, lenientNumber, lenientText } from '../tolerant';

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

/** An address, sometimes as it is, or the bytes in base64. */
const image = z.union([
  z.pipe(
    z.string().check(z.regex(/^(https?|data):/i)),
    z.transform((url) => ({ url, b64_json: undefined })),
  ),
  z.looseObject({ url: lenientText, b64_json: lenientText }),
]);

/** The images are `images` here, and `data` at services in OpenAI's form. */
export const imageResponse = listIn(
  ['images'],
  z.looseObject({
    list: entriesOf(image),
    timings: lenient(z.looseObject({ inference: lenientNumber })),
    seed: lenientNumber,
  }),
);

/** An address, which is valid for an hour, or the image itself. */
export type GeneratedImage = { readonly url: string } | { readonly bytes: Uint8Array };

export interface GeneratedImages {
  readonly images: readonly GeneratedImage[];
  /** Whether the response had more images than are read. */
  readonly hasMore?: true;
  readonly seed?: number;
  /** How many seconds the service took. */
  readonly inferenceSeconds?: number;
}
