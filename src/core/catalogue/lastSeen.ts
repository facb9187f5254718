import type { CatalogueModel } from './model';

/** The ids that were on screen when the person last looked. */
export interface LastSeen {
  /** Unix milliseconds. */
  readonly at: number;
  readonly ids: readonly string[];
}

export interface ModelChanges {
  readonly appeared: ReadonlySet<string>;
  /** In their old order. */
  readonly vanished: readonly string[];
}

/** What changed since the last look; nothing, where there was no look yet. */
export function changesSince(look: LastSeen | undefined, models: readonly CatalogueModel[]): ModelChanges {
  if (!look) return { appeared: new Set(), vanished: [] };
  const seen = new Set(look.ids);
  const present = new Set(models.map(({ id }) => id));
  return {
    appeared: new Set([...present].filter((id) => !seen.has(id))),
    vanished: look.ids.filter((id) => !present.has(id)),
  };
}
