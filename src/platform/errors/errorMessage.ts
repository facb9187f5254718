import type { WireAction } from '../../protocol/wire';

/** An error as a person reads it. */
export interface Words {
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
}

/** What only whoever asked knows. */
export interface ErrorHints {
  /** Names close to the one the service did not know, nearest first. */
  readonly nearestModels?: readonly string[];
}
