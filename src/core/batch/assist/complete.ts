import type { Span } from '../problem';
import { takesText } from './aboutShape';
import { cursorPositionAt } from './cursorPosition';
import type { CursorPosition } from './cursorPosition';
import { shapeAt } from '../shape';
import type { Shape } from '../shape';

/** A suggestion for the position of the cursor. */
export interface Completion extends Span {
  readonly label: string;
  readonly kind: 'member' | 'model' | 'value';
  /** Describes the member or value; empty if there is nothing to say. */
  readonly about: string;
  readonly takes: string;
  /** A snippet that replaces the span, including commas and colon. */
  readonly snippet: string;
  /** The text to compare with what is typed so far. */
  readonly filter: string;
  /** Accepting it opens the suggestions for its value. */
  readonly asksOn: boolean;
}

export interface CompletionRequest {
  readonly text: string;
  readonly offset: number;
  /** The model ids the service lists, best first. */
  readonly models: readonly string[];
}

/** Returns everything that can be written at a position, best first. */
export function completionsAt({ text, offset, models }: CompletionRequest): readonly Completion[] {
  const place = cursorPositionAt(text, offset);
  const shape = place && shapeAt(place.path);
  if (!place || !shape) return [];
  const isSpaced = /"\s*: /.test(text.slice(0, 4096));
  const finish = (snippet: string) => {
    const spaced = isSpaced ? snippet.replace(/(":|,)(?=["{[$\d])/g, '$1 ') : snippet;
    const lead = place.needsCommaBefore ? (isSpaced && /\S$/.test(text.slice(0, place.start)) ? ', ' : ',') : '';
    return `${lead}${spaced}${place.needsCommaAfter ? ',' : ''}`;
  };
  const found = place.isKey ? members(place, shape) : values(place, shape, models);
  // If one of the values is already there, offer all others in its place too, not only those that begin with it.
  const current = text.slice(place.start, place.end);
  const isOne = !place.isKey && found.some(({ filter }) => filter === current);
  return found.map((one) => ({
    ...one,
    start: place.start,
    end: place.end,
    snippet: finish(one.snippet),
    filter: isOne ? current : one.filter,
  }));
}

/** Whether the position is that of a model id. */
export function asksForModel(text: string, offset: number): boolean {
  const place = cursorPositionAt(text, offset);
  return place !== undefined && !place.isKey && shapeAt(place.path)?.isModel === true;
}

type Found = Omit<Completion, 'start' | 'end'>;

function members(place: CursorPosition, { members: known = {} }: Shape): readonly Found[] {
  const free = Object.entries(known).filter(([name]) => !place.present.has(name));
  return free.map(([name, shape]) => {
    const key = JSON.stringify(name);
    return {
      label: name,
      kind: 'member',
      about: shape.about(),
      takes: takesText(shape),
      snippet: place.hasColon ? key : `${key}:${valueSnippet(shape)}`,
      filter: place.isQuoted ? key : name,
      asksOn: !place.hasColon && shape.isModel === true,
    };
  });
}

function values(place: CursorPosition, shape: Shape, models: readonly string[]): readonly Found[] {
  const literals = shape.isModel ? models : (shape.values ?? []);
  // Only strings are possible within quotes.
  const fitting = literals.filter((value) => typeof value === 'string' || !place.isQuoted);
  const found = fitting.map((value): Found => {
    const written = JSON.stringify(value);
    return {
      label: typeof value === 'string' ? value : written,
      kind: shape.isModel ? 'model' : 'value',
      about: shape.isModel ? '' : shape.about(),
      takes: '',
      snippet: plain(written),
      filter: place.isQuoted ? written : String(value),
      asksOn: false,
    };
  });
  const { template } = shape;
  if (!template || place.isQuoted) return found;
  const label = template.replace(/\$\{\d\|([^,|]*)[^}]*\}/g, '$1').replace(/\$\d/g, '');
  const whole: Found = {
    label: label.length > 60 ? `${label.slice(0, 59)}…` : label,
    kind: 'value',
    about: shape.about(),
    takes: '',
    snippet: template,
    filter: label,
    asksOn: false,
  };
  return [...found, whole];
}

function valueSnippet({ values: known, isClosed, template, kinds, items }: Shape): string {
  if (template) return template;
  const [first, ...more] = known ?? [];
  if (first !== undefined) {
    const isText = typeof first === 'string';
    const all = [first, ...more].map(String);
    const chosen =
      more.length === 0 && isClosed ? first : `\${1${more.length === 0 ? `:${first}` : `|${all.join(',')}|`}}`;
    return isText ? `"${chosen}"` : String(chosen);
  }
  if (items && !kinds.includes('string')) return items.template ? `[${items.template}]` : '[$1]';
  const [kind] = kinds;
  return kind === 'string' ? '"$1"' : kind === 'object' ? '{$1}' : '$1';
}

function plain(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
