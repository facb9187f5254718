/** Where ghost text is asked for: what stands before and after the cursor, as far as it is looked at. Ends of lines as in the document. */
export interface CursorContext {
  readonly before: string;
  readonly after: string;
}

export interface ContextLimits {
  /** Characters. */
  readonly before: number;
  readonly after: number;
}

/**
 * About 2,000 and 800 tokens of code: four parts of what decides stands before the cursor, and a request is sent at every pause in
 * typing, so its length is its price.
 */
export const contextLimits: ContextLimits = { before: 6000, after: 2500 };

/** A line with more before the cursor is not a person's: minified or generated. */
export const longestLine = 4000;

/** Leaves of both sides what is near the cursor, in whole lines where a line is not itself too long. */
export function boundContext({ before, after }: CursorContext, limits: ContextLimits = contextLimits): CursorContext {
  return { before: lastPart(before, limits.before), after: firstPart(after, limits.after) };
}

/** The line of the cursor, before it. */
export function lineBefore({ before }: CursorContext): string {
  return before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
}

/** The line of the cursor, after it. */
export function lineAfter({ after }: CursorContext): string {
  return /^[^\r\n]*/.exec(after)?.[0] ?? '';
}

/** Whether the cursor stands within a word, where what is meant is only seen from what is typed next. */
export function isWithinWord({ after }: CursorContext): boolean {
  return /^[\p{L}\p{N}_]/u.test(after);
}

function lastPart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const part = text.slice(text.length - limit);
  const lineStart = part.indexOf('\n') + 1;
  if (lineStart > 0 && lineStart < part.length) return part.slice(lineStart);
  return isLowSurrogate(part, 0) ? part.slice(1) : part;
}

function firstPart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const part = text.slice(0, limit);
  const lineEnd = part.lastIndexOf('\n') + 1;
  if (lineEnd > 0) return part.slice(0, lineEnd);
  return isLowSurrogate(text, limit) ? part.slice(0, -1) : part;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
