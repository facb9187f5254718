import type { CompletionRequest } from '../api/completions/completions.schema';
import type { CursorContext } from './cursorContext';
import { endOfShape } from './shape';
import type { Shape } from './shape';

export interface RequestOptions {
  readonly model: string;
  readonly maxTokens: number;
  readonly shape: Shape;
  /** Whether what stands after the cursor goes along; not every model takes it. */
  readonly fillsIn: boolean;
}

/** Low, since a suggestion shall be what is likely, and not 0, at which some models repeat themselves. */
const temperature = 0.1;

/** What is sent for a place. Ends of lines go as the models know them. */
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
