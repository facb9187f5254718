import '../api/jitless';
import * as z from 'zod/mini';
import { imageRequest } from '../api/images/images.schema';
import type { Immutable } from '../api/immutable';

const trouble = z.object({ kind: z.string(), title: z.string(), detail: z.string() });

const item = z.object({
  request: imageRequest,
  /**
   * `waiting`: for its turn; `sending`: its order is on its way; `ordered`: the job tells how it is; `rejected`: nothing was sent
   * and nothing is kept of it but `trouble`; `notSent`: until a person goes on.
   */
  state: z.enum(['waiting', 'sending', 'ordered', 'rejected', 'notSent']),
  jobId: z.optional(z.string()),
  trouble: z.optional(trouble),
  /** Absolute: what came of it, for when its job is forgotten. */
  files: z.optional(z.array(z.string())),
});

const run = z.object({
  version: z.literal(1),
  id: z.string().check(z.regex(/^[\w-]{1,60}$/)),
  /** Unix milliseconds. */
  createdAt: z.number(),
  profileId: z.string(),
  /** Of the service that it was ordered from. */
  baseUrl: z.optional(z.string()),
  items: z.array(item),
  /** Why the rest is not sent: a person stopped it, the window went away, or what went wrong. */
  halt: z.optional(z.object({ reason: z.enum(['stopped', 'closed', 'trouble']), trouble: z.optional(trouble) })),
});

export type RunProblem = Immutable<z.infer<typeof trouble>>;
export type ImageRunItem = Immutable<z.infer<typeof item>>;
/** Orders of pictures that were given together, also one alone. */
export type ImageRun = Immutable<z.infer<typeof run>>;

/** `undefined` for what is none, or of a later version. */
export function readImageRun(raw: unknown): ImageRun | undefined {
  const found = run.safeParse(raw);
  return found.success ? found.data : undefined;
}

export function changeItem(
  of: ImageRun,
  index: number,
  change: Partial<{ readonly [Key in keyof ImageRunItem]: ImageRunItem[Key] | undefined }>,
): ImageRun {
  const changed = (one: ImageRunItem) =>
    Object.fromEntries(
      Object.entries({ ...one, ...change }).filter(([, value]) => value !== undefined),
    ) as unknown as ImageRunItem;
  return { ...of, items: of.items.map((one, at) => (at === index ? changed(one) : one)) };
}

/** What waits is not sent any more, and why. */
export function halted(of: ImageRun, halt: NonNullable<ImageRun['halt']>): ImageRun {
  if (!of.items.some(({ state }) => state === 'waiting' || state === 'notSent')) return of;
  const items = of.items.map((one): ImageRunItem => (one.state === 'waiting' ? { ...one, state: 'notSent' } : one));
  return { ...of, items, halt };
}

/**
 * Those that failed wait again, each with its job until another one stands in its place; those that wait or are sent already stay so. A run
 * of which nothing else is left to send is halted no more.
 */
export function retried({ halt, ...of }: ImageRun, failed: readonly number[]): ImageRun {
  const items = of.items.map(({ trouble, ...one }, at): ImageRunItem => {
    if (failed.includes(at) && one.state !== 'sending') return { ...one, state: 'waiting' };
    return trouble ? { ...one, trouble } : one;
  });
  return { ...of, items, ...(halt && items.some(({ state }) => state === 'notSent') && { halt }) };
}

/** What is not sent waits again. */
export function resumed({ halt: _halt, ...of }: ImageRun): ImageRun {
  return {
    ...of,
    items: of.items.map(({ trouble: _trouble, ...one }): ImageRunItem => {
      if (one.state === 'notSent') return { ...one, state: 'waiting' };
      return _trouble ? { ...one, trouble: _trouble } : one;
    }),
  };
}
