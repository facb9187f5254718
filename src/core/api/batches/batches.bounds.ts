import type { Bounds } from '../bounds';
import { invalidParameter } from '../bounds';
import type { ParameterWarning } from '../parameters';
import type { BatchRequest } from './batches.schema';

export const batchBounds: Bounds<BatchRequest> = {
  input_file_id: { minLength: 1 },
  endpoint: { oneOf: ['/v1/chat/completions'] },
  completion_window: { pattern: /^[1-9]\d*h$/ },
};

/** Limits of the metadata: pairs, characters of a key, characters of a value. */
const maxPairs = 16;
const maxKey = 64;
const maxValue = 512;
/** In hours; the shortest is also the only window the specification confirms. */
const minWindow = 24;
const maxWindow = 336;

/** Throws `invalidParameter` for the first offending pair. */
export function checkMetadata(metadata: BatchRequest['metadata']): void {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length > maxPairs) {
    throw invalidParameter({ parameter: 'metadata', rule: 'maxItems', bound: maxPairs, actual: pairs.length });
  }
  for (const [key, value] of pairs) {
    const parameter = `metadata.${key}`;
    if (key.length > maxKey)
      throw invalidParameter({ parameter, rule: 'maxLength', bound: maxKey, actual: key.length });
    if (value.length > maxValue) {
      throw invalidParameter({ parameter, rule: 'maxLength', bound: maxValue, actual: value.length });
    }
  }
}

/** The specification swaps the window's bounds; the vendor's guide says 24 to 336 hours. */
export function windowWarnings({ completion_window }: BatchRequest): readonly ParameterWarning[] {
  const hours = Number.parseInt(completion_window, 10);
  const parameter = 'completion_window';
  if (hours < minWindow) return [{ parameter, rule: 'min', bound: minWindow, actual: hours }];
  if (hours > maxWindow) return [{ parameter, rule: 'max', bound: maxWindow, actual: hours }];
  return hours > minWindow ? [{ parameter, rule: 'oneOf', bound: ['24h'], actual: completion_window }] : [];
}
