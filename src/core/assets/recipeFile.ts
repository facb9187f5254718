import '../../schema/jitless';
import * as z from 'zod/mini';
import { imageRequest } from '../api/images/images.schema';
import { speechRequest } from '../api/speech/speech.schema';
import { videoRequest } from '../api/videos/videos.schema';
import { readOrEmpty } from '../storage/privateFiles';
import type { GeneratedBy, Recipe } from './recipe';
import { recipeEnding } from './recipe';

export const recipeVersion = 1;

const number = z.optional(z.number());
const text = z.optional(z.string());

const file = z.looseObject({
  name: z.string(),
  sha256: z.string().check(z.regex(/^[\da-f]{64}$/)),
  bytes: z.number().check(z.nonnegative()),
  contentType: z.string(),
  width: number,
  height: number,
});

const facts = z.looseObject({
  version: z.literal(recipeVersion),
  kind: z.enum(['image', 'video', 'speech']),
  createdAt: z.iso.datetime(),
  service: z.string(),
  seed: number,
  inferenceSeconds: number,
  traceId: text,
  requestId: text,
  index: z.number().check(z.int(), z.nonnegative()),
  file,
});

/** Members that a later version added are preserved. */
const requests = {
  image: z.looseObject(imageRequest.shape),
  video: z.looseObject(videoRequest.shape),
  speech: z.looseObject(speechRequest.shape),
} satisfies Record<GeneratedBy['kind'], z.ZodMiniType>;

/** `undefined` if it is not a recipe, or one of a later version. */
export function parseRecipe(source: string): Recipe | undefined {
  return readFacts(parseJson(source));
}

/** Of the earlier recipes, which others may have written too, only valid ones remain. */
function readFacts(raw: unknown): Recipe | undefined {
  const read = facts.safeParse(raw);
  if (!read.success || !('request' in read.data)) return undefined;
  const request = requests[read.data.kind].safeParse(read.data['request']);
  if (!request.success) return undefined;
  const { earlier, ...recipe } = read.data;
  const before = Array.isArray(earlier) ? earlier.flatMap((one) => readFacts(withoutEarlier(one)) ?? []) : [];
  return { ...recipe, ...(before.length > 0 && { earlier: before }) } as unknown as Recipe;
}

/** Earlier recipes are not nested. */
function withoutEarlier(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { earlier: _earlier, ...recipe } = raw as Readonly<Record<string, unknown>>;
  return recipe;
}

export function recipeText(recipe: Recipe): string {
  return `${JSON.stringify(recipe, undefined, 2)}\n`;
}

/** Returns the path of the recipe next to the file. */
export function recipePath(path: string): string {
  return `${path}${recipeEnding}`;
}

/** Reads the recipe of a file; `undefined` if there is no readable one. */
export async function readRecipe(path: string): Promise<Recipe | undefined> {
  return parseRecipe(await readOrEmpty(recipePath(path)));
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
