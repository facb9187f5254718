import type { CompletionRequest } from '../api/completions/completions.schema';
import type { CursorContext } from './cursorContext';
import { endOfShape } from './shape';
import type { Shape } from './shape';

export interface RequestOptions {
  readonly model: string;
  readonly maxTokens: number;
  readonly shape: Shape;
  /** Whether the text after the cursor is sent too; not every model accepts it. */
  readonly fillsIn: boolean;
}

/** Low, because a suggestion should be likely, but not 0, at which some models repeat themselves. */
const temperature = 0.1;

/** Builds the request for a position. Line endings become LF, as models expect. */
export function toRequest(
  place: CursorContext,
  { model, maxTokens, shape, fillsIn }: RequestOptions,
): CompletionRequest {
  const suffix = toLf(place.after);
  return {
    model,
    prompt: toLf(place.before),
    ...(fillsIn && suffix.trim() !== '' && { suffix }),
    max_tokens: maxTokens,
    temperature,
    stop: [endOfShape[shape]],
  };
}

export function toLf(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
