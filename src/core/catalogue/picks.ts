import type { JobDefaults } from './jobs';
import type { LastSeen } from './lastSeen';

/** What the person chose; kept apart from the list, so that a refresh in another window cannot undo it. */
export interface ModelPicks {
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
  readonly look?: LastSeen;
}

export const noPicks: ModelPicks = { pins: [], defaults: {} };
