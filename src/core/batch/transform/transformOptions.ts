import type { ReadOptions } from '../making/rowSource';

/** Where the result of a transform is written. `onProgress` counts the bytes read from the source files. */
export interface TransformOptions extends ReadOptions {
  readonly target: string;
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

export interface TransformResult {
  readonly lines: number;
  readonly bytes: number;
}
