/** The text before and after the cursor where ghost text is requested, as far as it is considered. Line endings as in the document. */
export interface CursorContext {
  readonly before: string;
  readonly after: string;
  /** Whether sentences and fences are content, as in Markdown. */
  readonly isProse?: boolean;
}

export interface ContextLimits {
  /** Characters. */
  readonly before: number;
  readonly after: number;
}

/**
 * About 2,000 and 800 tokens of code: most of what decides a suggestion is before the cursor, and because a request is sent at
 * every pause in typing, its length determines its cost.
 */
export const contextLimits: ContextLimits = { before: 6000, after: 2500 };

/** A longer line before the cursor was not written by a user: it is minified or generated. */
export const longestLine = 4000;

/** Cuts both sides to what is near the cursor, in whole lines unless a line is itself too long. */
export function boundContext(place: CursorContext, limits: ContextLimits = contextLimits): CursorContext {
  return { ...place, before: lastPart(place.before, limits.before), after: firstPart(place.after, limits.after) };
}

/** Returns the part of the cursor's line before it. */
export function lineBefore({ before }: CursorContext): string {
  return before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
}

/** Returns the part of the cursor's line after it. */
export function lineAfter({ after }: CursorContext): string {
  return /^[^\r\n]*/.exec(after)?.[0] ?? '';
}

/** Whether the cursor is within a word, where only further typing shows the intention. */
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
