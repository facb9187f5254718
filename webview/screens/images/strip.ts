import type { ImageRunView, ImageTile } from '../../../src/protocol/images';

/** A result in the filmstrip. */
export interface StripItem {
  readonly tile: ImageTile;
  readonly run: ImageRunView;
  /** Whether it is the first one of its run, after a gap. */
  readonly isFirst: boolean;
}

/** Returns the results of all runs, newest first. Of the images of a run that aren't sent yet, only the next one is included. */
export function stripOf(runs: readonly ImageRunView[]): readonly StripItem[] {
  return runs.flatMap((run) => {
    const next = run.tiles.find(isUnsent);
    const tiles = run.tiles.filter((tile) => tile === next || !isUnsent(tile)).toReversed();
    return tiles.map((tile, at) => ({ tile, run, isFirst: at === 0 }));
  });
}

function isUnsent({ state }: ImageTile): boolean {
  return state === 'waiting' || state === 'notSent';
}

/** Whether a result has an image, or is known to have none. */
export function isSettled({ tile }: StripItem): boolean {
  return !isUnsent(tile) && !isMoving(tile);
}

/** Whether an image is being generated or saved. */
export function isMoving({ state }: ImageTile): boolean {
  return state === 'sending' || state === 'saving';
}
