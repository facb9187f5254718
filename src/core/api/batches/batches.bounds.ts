import type { Bounds } from '../bounds';
import { invalidParameter } from '../bounds';
import type { BatchRequest } from './batches.schema';

export const batchBounds: Bounds<BatchRequest> = {
  input_file_id: { minLength: 1 },
  endpoint: { minLength: 1 },
  completion_window: { pattern: /^[1-9]\d*h$/ },
};

/** Limits of a batch's metadata: pairs, and UTF-16 units of a key and of a value. */
export const metadataBounds = { pairs: 16, key: 64, value: 512 } as const;
/** The default completion window in hours, which all services with batches accept. */
export const usualHours = 24;
export const usualWindow = `${usualHours}h`;

/** Throws `invalidParameter` for the first offending pair. */
export function checkMetadata(metadata: BatchRequest['metadata']): void {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length > metadataBounds.pairs) {
    throw invalidParameter({
      parameter: 'metadata',
      rule: 'maxItems',
      bound: metadataBounds.pairs,
      actual: pairs.length,
    });
  }
  for (const [key, value] of pairs) {
    const parameter = `metadata.${key}`;
    if (key.length > metadataBounds.key)
      throw invalidParameter({ parameter, rule: 'maxLength', bound: metadataBounds.key, actual: key.length });
    if (value.length > metadataBounds.value) {
      throw invalidParameter({ parameter, rule: 'maxLength', bound: metadataBounds.value, actual: value.length });
    }
  }
}
