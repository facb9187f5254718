import '../../schema/jitless';
import * as z from 'zod/mini';
import { imageRequest } from '../api/images/images.schema';
import { renamed } from '../storage/storedFile';
import type { Immutable } from '../../schema/immutable';

const problem = z.object({ kind: z.string(), title: z.string(), detail: z.string() });

/** Version 0.1.0 wrote `trouble` for `problem`. */
const withProblem = z.transform((raw) => renamed(raw, 'trouble', 'problem'));

const item = z.object({
  request: imageRequest,
  /**
   * `waiting`: for its turn; `sending`: its request is in flight; `ordered`: its job has the state; `rejected`: no request was sent, and
   * only `problem` is stored; `notSent`: until a user resumes.
   */
  state: z.enum(['waiting', 'sending', 'ordered', 'rejected', 'notSent']),
  jobId: z.optional(z.string()),
  problem: z.optional(problem),
  /** Absolute paths of the generated files, for when the job is forgotten. */
  files: z.optional(z.array(z.string())),
});

const run = z.object({
  version: z.literal(1),
  id: z.string().check(z.regex(/^[\w-]{1,60}$/)),
  /** Unix milliseconds. */
  createdAt: z.number(),
  profileId: z.string(),
  /** The service the images were requested from. */
  baseUrl: z.optional(z.string()),
  items: z.array(z.pipe(withProblem, item)),
  /** Why the rest is not sent: a user stopped it, the window closed, or an error occurred. */
  halt: z.optional(
    z.pipe(withProblem, z.object({ reason: z.enum(['stopped', 'closed', 'trouble']), problem: z.optional(problem) })),
  ),
});

export type RunProblem = Immutable<z.infer<typeof problem>>;
export type ImageRunItem = Immutable<z.infer<typeof item>>;
/** Image requests that were submitted together, or a single one. */
export type ImageRun = Immutable<z.infer<typeof run>>;

/** `undefined` if it is not a run, or one of a later version. */
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

/** Halts a run: waiting items are not sent any more, for the reason in `halt`. */
export function halted(of: ImageRun, halt: NonNullable<ImageRun['halt']>): ImageRun {
  if (!of.items.some(({ state }) => state === 'waiting' || state === 'notSent')) return of;
  const items = of.items.map((one): ImageRunItem => (one.state === 'waiting' ? { ...one, state: 'notSent' } : one));
  return { ...of, items, halt };
}

/**
 * Sets the failed items to `waiting`, each with its job until a new one replaces it; items that are being sent stay as they are.
 * Clears the halt if no other item is left unsent.
 */
export function retried({ halt, ...of }: ImageRun, failed: readonly number[]): ImageRun {
  const items = of.items.map(({ problem, ...one }, at): ImageRunItem => {
    if (failed.includes(at) && one.state !== 'sending') return { ...one, state: 'waiting' };
    return problem ? { ...one, problem } : one;
  });
  return { ...of, items, ...(halt && items.some(({ state }) => state === 'notSent') && { halt }) };
}

/** Sets all unsent items to `waiting` again. */
export function resumed({ halt: _halt, ...of }: ImageRun): ImageRun {
  return {
    ...of,
    items: of.items.map(({ problem: _problem, ...one }): ImageRunItem => {
      if (one.state === 'notSent') return { ...one, state: 'waiting' };
      return _problem ? { ...one, problem: _problem } : one;
    }),
  };
}
