import type { Batch } from '../../api/batches/batches.schema';

/** Returns the name of a batch: from its metadata, where consoles store it, else its file name; `undefined` if it has neither. */
export function batchName({ metadata, fileName }: Pick<Batch, 'metadata' | 'fileName'>): string | undefined {
  return metadata['name'] || fileName || undefined;
}
