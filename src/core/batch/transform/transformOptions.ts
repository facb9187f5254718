import type { ReadOptions } from '../making/rowSource';

/** Where the result of a transform goes. `onProgress` counts bytes of the files that are read. */
export interface TransformOptions extends ReadOptions {
  readonly target: string;
  /** Whether a file of this name is replaced. */
  readonly replace: boolean;
}

export interface TransformResult {
  readonly lines: number;
  readonly bytes: number;
}
