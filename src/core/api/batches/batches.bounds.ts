import type { Bounds } from '../bounds';
import { invalidParameter } from '../bounds';
import type { ParameterWarning } from '../parameters';
import type { BatchRequest } from './batches.schema';

export const batchBounds: Bounds<BatchRequest> = {
  input_file_id: { minLength: 1 },
  endpoint: { oneOf: ['/v1/chat/completions'] },
  completion_window: { pattern: /^[1-9]\d*h$/ },
};

/** Limits of a batch's metadata: pairs, and UTF-16 units of a key and of a value. */
export const metadataBounds = { pairs: 16, key: 64, value: 512 } as const;
/** Hours of the completion window. The specification swaps them, and confirms the shortest only; the vendor's guide says both. */
export const windowBounds = { least: 24, most: 336 } as const;
/** The completion window unless another is asked for. */
export const usualWindow = `${windowBounds.least}h`;

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

export function windowWarnings({ completion_window }: BatchRequest): readonly ParameterWarning[] {
  const hours = Number.parseInt(completion_window, 10);
  const parameter = 'completion_window';
  if (hours < windowBounds.least) return [{ parameter, rule: 'min', bound: windowBounds.least, actual: hours }];
  if (hours > windowBounds.most) return [{ parameter, rule: 'max', bound: windowBounds.most, actual: hours }];
  return hours > windowBounds.least
    ? [{ parameter, rule: 'oneOf', bound: [usualWindow], actual: completion_window }]
    : [];
}
