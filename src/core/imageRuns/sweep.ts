import type { ImageRequest } from '../api/images/images.schema';
import { countPrompts, expandPrompts } from './promptVariants';
import type { PromptForms } from './promptVariants';

export const maxSeed = 9_999_999_999;

/** What is varied; everything else is as in the request it begins with. */
export interface Sweep {
  readonly prompts: PromptForms;
  /** Empty: that of the request. */
  readonly sizes: readonly string[];
  /** `one`: that of the request, set or not. A sequence goes round at the largest seed. */
  readonly seeds:
    | { readonly kind: 'one' }
    | { readonly kind: 'sequence'; readonly from: number; readonly count: number }
    | { readonly kind: 'random'; readonly count: number };
}

export const noSweep: Sweep = { prompts: { lines: false, alternatives: false }, sizes: [], seeds: { kind: 'one' } };

export function countRequests({ prompt }: Pick<ImageRequest, 'prompt'>, { prompts, sizes, seeds }: Sweep): number {
  return countPrompts(prompt, prompts) * Math.max(1, sizes.length) * (seeds.kind === 'one' ? 1 : seeds.count);
}

/** The product of all that is varied: prompts, in each the sizes, in each the seeds. `random`: 0 up to 1. */
export function expandSweep(
  request: ImageRequest,
  sweep: Sweep,
  { random, most }: { readonly random: () => number; readonly most: number },
): readonly ImageRequest[] {
  const prompts = expandPrompts(request.prompt, sweep.prompts, most);
  const sizes = sweep.sizes.length === 0 ? [undefined] : sweep.sizes;
  const seeds = seedsOf(sweep.seeds, random);
  const requests = prompts.flatMap((prompt) =>
    sizes.flatMap((size) =>
      seeds.map((seed): ImageRequest => ({
        ...request,
        prompt,
        ...(size !== undefined && { image_size: size }),
        ...(seed !== undefined && { seed }),
      })),
    ),
  );
  return requests.slice(0, most);
}

/** The same for every prompt and size, so that what differs is not the seed. */
function seedsOf(seeds: Sweep['seeds'], random: () => number): readonly (number | undefined)[] {
  if (seeds.kind === 'one') return [undefined];
  const places = Array.from({ length: seeds.count }, (_, at) => at);
  if (seeds.kind === 'random') return places.map(() => randomSeed(random));
  return places.map((at) => (seeds.from + at) % (maxSeed + 1));
}

export function randomSeed(random: () => number): number {
  return Math.floor(random() * (maxSeed + 1));
}

/** Pictures a request asks for. */
export function imagesOf({ batch_size }: Pick<ImageRequest, 'batch_size'>): number {
  return batch_size ?? 1;
}
