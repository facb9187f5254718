import { charge, requireBalance } from '../billing';
import type { Endpoint } from '../call';
import { type CatalogueModel, findModel } from '../catalogue';
import { drawPicture } from '../drawing';
import { badParameter, unknownModel } from '../refusal';
import { flag, integer, number, oneOf, optional, readStrictly, required, text } from '../validate';
import { wait } from '../wait';
import { assetUrl, keepAsset } from './assets';

/** The specification's limit, which exceeds 32 bits. */
export const maxSeed = 9_999_999_999;

const commonSizes = ['512x512', '768x1024', '1024x768', '576x1024', '1024x576'] as const;
const qwenSizes = ['1328x1328', '1664x928', '928x1664', '1472x1140', '1140x1472', '1584x1056', '1056x1584'] as const;

const fields = {
  model: required(text({ min: 1 })),
  prompt: required(text({ min: 1 })),
  image_size: optional(oneOf(...commonSizes, ...qwenSizes)),
  seed: optional(integer({ min: 0, max: maxSeed })),
  output_format: optional(oneOf('png', 'jpeg')),
  negative_prompt: optional(text()),
  batch_size: optional(integer({ min: 1, max: 4 })),
  num_inference_steps: optional(integer({ min: 1, max: 100 })),
  guidance_scale: optional(number({ min: 0, max: 20 })),
  cfg: optional(number({ min: 0.1, max: 20 })),
  image: optional(text({ min: 1 })),
  image2: optional(text({ min: 1 })),
  image3: optional(text({ min: 1 })),
  input_image: optional(text({ min: 1 })),
  prompt_upsampling: optional(flag),
  safety_tolerance: optional(integer({ min: 0, max: 6 })),
};

/**
 * Models of the specification accept its five sizes and parameters of their maker's; the others accept those for tuning and their own
 * sizes.
 */
function requireSupport(model: CatalogueModel, sent: Readonly<Record<string, unknown>>): void {
  const tuned = ['negative_prompt', 'batch_size', 'num_inference_steps', 'guidance_scale', 'cfg'] as const;
  const inputs = ['image', 'image2', 'image3'] as const;
  const fluxOnly = ['input_image', 'prompt_upsampling', 'safety_tolerance'] as const;
  const isFixed = model.id.startsWith('black-forest-labs/');
  const foreign = isFixed ? [...tuned, ...inputs] : fluxOnly;
  const refused = isFixed || model.subType === 'image-to-image' ? foreign : [...foreign, ...inputs];
  if (isFixed && !isCommonSize(sent['image_size']))
    throw badParameter(`image_size: Input should be one of ${commonSizes.join(', ')}`, 'image_size');
  const name = refused.find((parameter) => sent[parameter] !== undefined);
  if (name !== undefined)
    throw badParameter(`Value error, current model does not support parameter \`${name}\`.`, name);
  if (model.subType === 'image-to-image' && sent['image'] === undefined)
    throw badParameter('Field required: image', 'image');
}

function isCommonSize(size: unknown): boolean {
  return size === undefined || commonSizes.some((one) => one === size);
}

export const images: Endpoint = {
  name: 'POST /images/generations',
  body: 'json',
  standIn: 'black-forest-labs/FLUX.2-pro',
  handle: async ({ service, signal, body, reply, fault }) => {
    const sent = readStrictly(body, fields);
    const model = findModel(sent.model);
    if (model?.type !== 'image') throw unknownModel();
    requireSupport(model, sent);
    requireBalance(service, model);
    const started = service.clock();
    await wait(service.pace().workMs, signal);
    const seed = sent.seed ?? Math.floor(service.random() * (maxSeed + 1));
    const [width = 512, height = 512] = (sent.image_size ?? '512x512').split('x').map(Number);
    const format = sent.output_format ?? 'png';
    const expired = fault?.effect.kind === 'result' && fault.effect.how === 'expiredUrl';
    const count = sent.batch_size ?? 1;
    const urls: string[] = [];
    for (let index = 0; index < count; index += 1) {
      await wait(0, signal);
      const bytes = drawPicture({
        prompt: `${sent.prompt}${(sent.image ?? sent.input_image)?.slice(-64) ?? ''}`,
        negativePrompt: sent.negative_prompt ?? '',
        seed: seed + index,
        width,
        height,
        format,
      });
      const name = `${service.newId()}.${format === 'png' ? 'png' : 'jpg'}`;
      await keepAsset(service, { name, bytes, contentType: `image/${format}` });
      urls.push(assetUrl(service, name, { expired }));
    }
    await charge(service, model, count);
    const isNameless = fault?.effect.kind === 'result' && fault.effect.how === 'noAddress';
    return reply.json(200, {
      images: isNameless ? [] : urls.map((url) => ({ url })),
      timings: { inference: (service.clock() - started) / 1000 },
      seed,
    });
  },
};
