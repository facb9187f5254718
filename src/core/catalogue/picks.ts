import type { JobDefaults } from './jobs';
import type { LastSeen } from './lastSeen';

/** The user's choices; stored apart from the list, so that a refresh in another window cannot undo them. */
export interface ModelPicks {
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
  readonly look?: LastSeen;
}

export const noPicks: ModelPicks = { pins: [], defaults: {} };
