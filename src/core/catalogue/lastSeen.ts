import type { CatalogueModel } from './model';

/** The model ids that were on screen when the user last looked. */
export interface LastSeen {
  /** Unix milliseconds. */
  readonly at: number;
  readonly ids: readonly string[];
}

export interface ModelChanges {
  readonly appeared: ReadonlySet<string>;
  /** In their previous order. */
  readonly vanished: readonly string[];
}

/** Returns what changed since the user last looked; no changes if they never did. */
export function changesSince(look: LastSeen | undefined, models: readonly CatalogueModel[]): ModelChanges {
  if (!look) return { appeared: new Set(), vanished: [] };
  const seen = new Set(look.ids);
  const present = new Set(models.map(({ id }) => id));
  return {
    appeared: new Set([...present].filter((id) => !seen.has(id))),
    vanished: look.ids.filter((id) => !present.has(id)),
  };
}
