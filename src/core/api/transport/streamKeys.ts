import type { ExchangeEvent } from '../exchange';
import { isObject } from '../isObject';
import { parseJson } from '../parseJson';
import { type Redact, redacted } from '../redact';
import type { StreamEvent } from './transport';

/** The maximum number of held events that might be within a key, so that no service can block its response. */
const mostHeld = 500;
/** So many events without text at a place show that its text is over. */
const mostSilent = 20;
/** Beginnings of a key with fewer characters are common, and no reason to hold an event. */
const shortestHeld = 4;
/** The ends of so many texts are remembered, those that grew last. */
const mostPlaces = 1000;

/**
 * Removes the key from the events of a stream before they are passed on, even if a text contains it in parts. Holds the events since one
 * whose text ends with the beginning of a key until that text continues, repeats, or seems to be over. Takes linear time.
 */
export class KeyCarry {
  private held: StreamEvent[] = [];
  /** The texts of the events that are held, by place. */
  private parts = new Map<string, Part[]>();
  /** The places whose texts end with the beginning of a key, with the index of the last event held that has such text, in its order. */
  private readonly begun = new Map<string, number>();
  /** The last texts that end with the beginning of a key, by place: a text that comes again is a field that is always the same. */
  private readonly lasts = new Map<string, string>();
  /** The places whose texts contain a key. */
  private readonly found = new Set<string>();
  /** The beginnings of a key, of one character or more, with which the text that was passed on ends, by place. */
  private passed = new Map<string, string>();
  /** The same, of all the text. Stays while events are skipped, in which that text may have gone on with anything else. */
  private readonly ends = new Map<string, string>();
  /** The start of a string in JSON that continues a key after one of `ends`. */
  private next: readonly string[] = [];

  constructor(private readonly redact: Redact) {}

  /**
   * Adds the next events, and returns those that can be passed on, which are all of them if these are the last. `texts`: the JSON of each
   * event that can't contain a key, which saves inspecting it.
   */
  pass(
    events: readonly StreamEvent[],
    isLast: boolean,
    texts: readonly (string | undefined)[] = [],
  ): readonly StreamEvent[] {
    if (this.redact.longest === 0) return events;
    let isNew = this.held.length === 0;
    for (let index = 0; index < events.length; index += 1) {
      const event = events[index]!;
      const isSkipped = this.canSkip(texts[index]);
      if (isNew && isSkipped) continue;
      if (isNew) this.held = events.slice(0, index);
      isNew = false;
      this.held.push(event);
      if (!isSkipped && event.type === 'json' && isObject(event.data)) this.follow(event.data);
      this.dropSilent();
    }
    if (isNew) return events;
    const isHeld = this.begun.size > 0 && this.held.length < mostHeld;
    return isHeld && !isLast ? [] : this.release();
  }

  /** Whether no string of an event ends with the beginning of a key, or continues one. */
  private canSkip(text: string | undefined): boolean {
    if (text === undefined || this.begun.size > 0) return false;
    return this.next.length === 0 || !this.next.some((next) => text.includes(next));
  }

  private follow(data: object): void {
    const added = new Map<string, Part[]>();
    addParts({ '': data }, { event: this.held.length - 1, place: '', depth: 0 }, added);
    let isChanged = false;
    for (const [place, parts] of added) {
      const last = parts.length === 1 ? parts[0]!.text : parts.map(({ text }) => text).join('');
      const before = this.ends.get(place);
      const text = before === undefined ? last : before + last;
      const left = this.redact.plain(text);
      if (left !== text) this.found.add(place);
      const end = left.slice(this.redact.begun(left));
      if (last !== '') this.followEnd(place, last, end.length < shortestHeld ? 0 : end.length);
      isChanged ||= end !== (before ?? '');
      if (before !== undefined) this.ends.delete(place);
      if (end !== '') this.ends.set(place, end);
      const known = this.parts.get(place);
      if (known) for (const part of parts) known.push(part);
      else this.parts.set(place, parts);
    }
    if (isChanged)
      this.next = [...new Set([...this.ends.values()].flatMap(this.redact.next))].map((char) => `"${char}`);
  }

  /** `begun`: how much of the beginning of a key a place's text ends with, of which `last` came last. */
  private followEnd(place: string, last: string, begun: number): void {
    // Text that began before `last` and continues in it isn't a repetition.
    const isRepeated = begun <= last.length && this.lasts.get(place) === last;
    this.begun.delete(place);
    this.lasts.delete(place);
    if (begun === 0) return;
    this.lasts.set(place, last);
    if (!isRepeated) this.begun.set(place, this.held.length - 1);
  }

  private dropSilent(): void {
    for (const [place, at] of this.begun) {
      if (this.held.length - 1 - at < mostSilent) return;
      this.begun.delete(place);
    }
  }

  private release(): readonly StreamEvent[] {
    const { held, parts } = this;
    for (const place of new Set([...this.found, ...this.begun.keys()])) {
      redactParts(parts.get(place) ?? [], this.redact, this.passed.get(place));
    }
    for (const place of this.ends.keys()) {
      if (this.ends.size <= mostPlaces) break;
      this.ends.delete(place);
      this.lasts.delete(place);
    }
    if (this.passed.size > 0 || this.ends.size > 0) this.passed = new Map(this.ends);
    this.held = [];
    this.parts = new Map();
    this.found.clear();
    this.begun.clear();
    return held;
  }
}

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
    if (parts.length > 1) for (const event of redactParts(parts, redact)) rewritten.add(event);
  }
  const texts = events.map(({ text }, index) => (rewritten.has(index) ? written(values[index]) : text));
  const left = redact.pieces(texts);
  return events.map(({ ms }, index) => ({ ms, text: left[index] ?? '' }));
}

/** Removes the keys from the texts of one place, also those that begin in the text `before` them. Returns the events that changed. */
function redactParts(parts: readonly Part[], redact: Redact, before = ''): readonly number[] {
  const [first, ...left] = redact.pieces([before, ...parts.map(({ text }) => text)]);
  return parts.flatMap(({ event, owner, name, text }, index) => {
    const value = (index === 0 && first !== before ? redacted : '') + (left[index] ?? '');
    if (value === text) return [];
    Object.defineProperty(owner, name, { value });
    return [event];
  });
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
  return text.startsWith('{') ? parseJson(text) : undefined;
}

function written(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested too deep.
    return redacted;
  }
}
