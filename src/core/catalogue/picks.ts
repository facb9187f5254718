import type { JobDefaults } from './jobs';
import type { CatalogueModel } from './model';

/** The user's choices; stored apart from the list, so that a refresh in another window cannot undo them. */
export interface ModelPicks {
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
  /** Models a user asks although the list lacks them. */
  readonly unlisted?: readonly string[];
  readonly look?: LastSeen;
}

export const noPicks: ModelPicks = { pins: [], defaults: {} };

/** The model ids that were on screen when the user last looked. */
interface LastSeen {
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
