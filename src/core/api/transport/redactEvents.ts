import type { ExchangeEvent } from '../exchange';
import type { Redact } from '../redact';
import { redacted } from '../redact';

/**
 * Returns the events of a stream without the key, even if it arrived in parts: across the response's text, of which each event has a
 * part at the same path, or across the raw events. Reserializes an event that contained a part. Takes time linear in the events.
 */
export function redactEvents(events: readonly ExchangeEvent[], redact: Redact): readonly ExchangeEvent[] {
  const values = events.map(({ text }) => parsed(text));
  const places = new Map<string, Part[]>();
  for (const [event, value] of values.entries()) addParts({ '': value }, { event, place: '', depth: 0 }, places);
  const rewritten = new Set<number>();
  for (const parts of places.values()) {
    if (parts.length === 1) continue;
    const left = redact.pieces(parts.map(({ text }) => text));
    for (const [index, { event, owner, name, text }] of parts.entries()) {
      const value = left[index];
      if (value === text) continue;
      Object.defineProperty(owner, name, { value });
      rewritten.add(event);
    }
  }
  const texts = events.map(({ text }, index) => (rewritten.has(index) ? written(values[index]) : text));
  const left = redact.pieces(texts);
  return events.map(({ ms }, index) => ({ ms, text: left[index] ?? '' }));
}

/** A string within an event. */
interface Part {
  readonly event: number;
  readonly owner: object;
  readonly name: string;
  readonly text: string;
}

interface Where {
  readonly event: number;
  readonly place: string;
  readonly depth: number;
}

/** Anything deeper is not text of a response, and could be too deep to walk. */
const deepest = 16;
/** Truncates the names on the path to a part, so that a path is no longer than a line. */
const longestName = 32;

/** Collects the strings of an event by path; parallel choices are distinguished by their `index`. */
function addParts(owner: object, { event, place, depth }: Where, into: Map<string, Part[]>): void {
  const index = 'index' in owner && typeof owner.index === 'number' ? `#${owner.index}` : '';
  for (const [name, value] of Object.entries(owner) as [string, unknown][]) {
    const there = `${place}${index}/${name.slice(0, longestName)}`;
    if (typeof value === 'string') {
      const parts = into.get(there) ?? [];
      into.set(there, parts);
      parts.push({ event, owner, name, text: value });
    } else if (typeof value === 'object' && value !== null && depth < deepest) {
      addParts(value, { event, place: there, depth: depth + 1 }, into);
    }
  }
}

/** Returns `undefined` for anything but a JSON object. */
function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function written(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested too deep.
    return redacted;
  }
}
