import type { ImageRequest } from '../api/images/images.schema';
import { countPrompts, expandPrompts } from './promptVariants';
import type { PromptForms } from './promptVariants';

export const maxSeed = 9_999_999_999;

/** The variations. Everything else comes from the original request. */
export interface Sweep {
  readonly prompts: PromptForms;
  /** If empty, the size of the request. */
  readonly sizes: readonly string[];
  /** `one`: the request's seed, set or not. A sequence wraps around after the largest seed. */
  readonly seeds:
    | { readonly kind: 'one' }
    | { readonly kind: 'sequence'; readonly from: number; readonly count: number }
    | { readonly kind: 'random'; readonly count: number };
}

export const noSweep: Sweep = { prompts: { lines: false, alternatives: false }, sizes: [], seeds: { kind: 'one' } };

export function countRequests({ prompt }: ImageRequest, { prompts, sizes, seeds }: Sweep): number {
  return countPrompts(prompt, prompts) * Math.max(1, sizes.length) * (seeds.kind === 'one' ? 1 : seeds.count);
}

/** Returns the product of all variations: prompts, for each the sizes, for each the seeds. `random` returns 0 up to 1. */
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

/** The same seeds for every prompt and size, so that differences are not due to the seed. */
function seedsOf(seeds: Sweep['seeds'], random: () => number): readonly (number | undefined)[] {
  if (seeds.kind === 'one') return [undefined];
  const places = Array.from({ length: seeds.count }, (_, at) => at);
  if (seeds.kind === 'random') return places.map(() => randomSeed(random));
  return places.map((at) => (seeds.from + at) % (maxSeed + 1));
}

export function randomSeed(random: () => number): number {
  return Math.floor(random() * (maxSeed + 1));
}

/** Returns the number of images a request asks for. */
export function imagesOf({ batch_size }: ImageRequest): number {
  return batch_size ?? 1;
}
