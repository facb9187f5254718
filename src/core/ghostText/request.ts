import type { CompletionRequest } from '../api/completions/completions.schema';
import { lineAfter, lineBefore } from './cursorContext';
import type { CursorContext } from './cursorContext';

/** Low, because a suggestion should be likely, but not 0, at which some models repeat themselves. */
const temperature = 0.1;

/** Builds the request for a position, with the text after the cursor. Line endings become LF, as models expect. */
export function toRequest(place: CursorContext, model: string, maxTokens: number): CompletionRequest {
  const suffix = toLf(place.after);
  return {
    model,
    prompt: toLf(place.before),
    ...(suffix.trim() !== '' && { suffix }),
    max_tokens: maxTokens,
    temperature,
    stop: [endOfShape[shapeAt(place)]],
  };
}

/** Leaves out the text after the cursor, which not every model accepts. */
export function withoutSuffix(request: CompletionRequest): CompletionRequest {
  const { suffix: _, ...rest } = request;
  return rest;
}

export function toLf(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/**
 * The size of a suggestion. `line`: text follows on the same line, so at most the rest of the line. `passage`: up to the first blank line,
 * which ends a thought in code as in prose. `block`: from an empty line, where a blank line can be part of it.
 */
export type Shape = 'line' | 'passage' | 'block';

export function shapeAt(place: CursorContext): Shape {
  if (lineAfter(place).trim() !== '') return 'line';
  return lineBefore(place).trim() === '' ? 'block' : 'passage';
}

/** The stop sequence of each shape, with line endings as on the wire. */
export const endOfShape: Readonly<Record<Shape, string>> = { line: '\n', passage: '\n\n', block: '\n\n\n' };
