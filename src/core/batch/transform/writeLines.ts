import path from 'node:path';
import { writeAtomically } from '../../storage/atomicFile';
import type { AtomicFile } from '../../storage/atomicFile';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { MakingError } from '../making/makingError';
import { transformWords } from '../words/makingWords';

/** How a new file is written from one that is read. Progress counts the bytes read. */
export interface WriteOptions extends Partial<ProgressMonitor> {
  readonly target: string;
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

/**
 * Writes one file at a path the user chose, completely or not at all: if `work` fails or is canceled, no partial file remains.
 * Throws a `MakingError` if a file of that name exists and must not be replaced.
 */
export async function writeLines<T>(
  { target, replace }: { readonly target: string; readonly replace: boolean },
  work: (file: AtomicFile) => Promise<T>,
): Promise<T> {
  return writeAtomically(target, { replace, isPrivate: false }, work).catch(unlessTaken(target));
}

/** Returns a function that rethrows an error, with a message if it says that a file of that name exists. */
export function unlessTaken(target: string): (error: unknown) => never {
  return (error) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isTaken ? new MakingError(transformWords.exists(path.basename(target))) : error;
  };
}
