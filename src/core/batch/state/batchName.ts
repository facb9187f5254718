import type { Batch } from '../../api/batches/batches.schema';

/** What a batch is called: by its metadata, where consoles keep it, else by its file. Without both it has no name. */
export function batchName({ metadata, fileName }: Pick<Batch, 'metadata' | 'fileName'>): string | undefined {
  return metadata['name'] || fileName || undefined;
}
