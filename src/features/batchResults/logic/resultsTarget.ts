import '../../../schema/jitless';
import * as z from 'zod/mini';

const target = z.union([
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  z.object({ kind: z.literal('job'), jobId: z.string() }),
  z.object({ kind: z.literal('files'), input: z.optional(z.string()), results: z.array(z.string()) }),
]);

/** The subject of a results page: a run in its folder, a batch watched here, or files the user chose. Paths are absolute. */
export type ResultsTarget =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'files'; readonly input?: string; readonly results: readonly string[] };

/** Returns `undefined` if the value is not a target. */
export function readTarget(value: unknown): ResultsTarget | undefined {
  const read = target.safeParse(value);
  return read.success ? (read.data as ResultsTarget) : undefined;
}

/** Returns the same key for the same results. */
export function keyOf(of: ResultsTarget): string {
  switch (of.kind) {
    case 'folder':
      return `folder ${of.folder}`;
    case 'job':
      return `job ${of.jobId}`;
    case 'files':
      return `files ${JSON.stringify(of.results.toSorted())}`;
  }
}

/** Returns each of the targets once. */
export function uniqueTargets(targets: readonly ResultsTarget[]): readonly ResultsTarget[] {
  return [...new Map(targets.map((target) => [keyOf(target), target])).values()];
}
