/** What the screens of a model's job may be opened with. */
export type MediaStart =
  /** `regenerate`: sends the recipe's request at once; `vary`: fills the form with it, without the seed. */
  | { readonly as: 'regenerate' | 'vary'; readonly path: string }
  | { readonly as: 'form'; readonly model?: string; readonly prompt?: string }
  /** Shows an order that was sent. */
  | { readonly as: 'job'; readonly id: string };

/** The model that what a screen was opened with names, if any. */
export function startModel(value: unknown): string | undefined {
  const start = toMediaStart(value);
  return start?.as === 'form' ? start.model : undefined;
}

/** `undefined` for anything else, e.g. what a menu hands over. */
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
