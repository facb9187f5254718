import '../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import { tileActions } from '../../protocol/images';
import type { ImagesScreen } from '../../protocol/images';
import { maxImageBytes } from '../../protocol/mediaBounds';

const nothing = z.strictObject({});
const text = (most: number) => z.string().check(z.maxLength(most));
const short = text(100);
const id = text(100);
/** A reference to a stored input, or a URL from a recipe. */
const input = text(30_000_000);

export const imageForm = z.strictObject({
  model: text(500),
  prompt: text(1_000_000),
  image_size: short,
  seed: short,
  output_format: short,
  negative_prompt: text(1_000_000),
  batch_size: short,
  num_inference_steps: short,
  guidance_scale: short,
  cfg: short,
  aspect_ratio: short,
  prompt_upsampling: short,
  safety_tolerance: short,
  image: input,
  image2: input,
  image3: input,
  input_image: input,
  isSeveral: z.boolean(),
  eachLine: z.boolean(),
  alternatives: z.boolean(),
  seeds: z.enum(['one', 'sequence', 'random']),
  seedCount: short,
  sizes: z.array(short).check(z.maxLength(50)),
});

/** The form as saved across reloads of the window. */
export const savedForm = z.object({ form: imageForm, filled: z.number() });

/** Schemas of the parameters that the page may send with each call. */
export const imagesParams: ParamSchemas<ImagesScreen> = {
  'images/ready': nothing,
  'images/form': z.strictObject({ form: imageForm }),
  'images/generate': z.strictObject({ form: imageForm }),
  'images/run': z.strictObject({ id, action: z.enum(['stop', 'goOn', 'forget']) }),
  'images/failed': z.strictObject({ action: z.enum(['retry', 'clear']) }),
  'images/tile': z.strictObject({ id, action: z.enum(tileActions) }),
  'images/copied': z.strictObject({ id, pixels: short }),
  'images/step': z.strictObject({ id, action: short }),
  'images/chooseInput': nothing,
  'images/dropInput': z.union([
    z.strictObject({ uri: text(10_000) }),
    z.strictObject({ name: text(300), base64: text(Math.ceil(maxImageBytes / 3) * 4) }),
  ]),
  'images/older': nothing,
  'images/act': z.strictObject({ action: text(1000) }),
};
