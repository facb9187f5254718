/** What the page of a generation job can be opened with. */
export type MediaStart =
  /** `regenerate`: sends the recipe's request at once; `vary`: fills the form with it, without the seed. */
  | { readonly as: 'regenerate' | 'vary'; readonly path: string }
  | { readonly as: 'form'; readonly model?: string; readonly prompt?: string }
  /** Shows a job that was sent. */
  | { readonly as: 'job'; readonly id: string };

/** Returns the model named by the argument a screen was opened with, if any. */
export function startModel(value: unknown): string | undefined {
  const start = toMediaStart(value);
  return start?.as === 'form' ? start.model : undefined;
}

/** Returns `undefined` for anything else, e.g. what a menu passes. */
export function toMediaStart(value: unknown): MediaStart | undefined {
  if (typeof value !== 'object' || value === null || !('as' in value)) return undefined;
  const { as, path, id, model, prompt } = value as Readonly<Record<string, unknown>>;
  if ((as === 'regenerate' || as === 'vary') && typeof path === 'string') return { as, path };
  if (as === 'job' && typeof id === 'string') return { as, id };
  if (as !== 'form') return undefined;
  return {
    as,
    ...(typeof model === 'string' && { model }),
    ...(typeof prompt === 'string' && { prompt }),
  };
}
