import { findNodeAtLocation, getLocation, parseTree } from 'jsonc-parser';
import type { BatchRules } from '../services/batchRules';
import type { Span } from '../problem';
import type { ModelJob } from '../../catalogue/model';
import { jobOf } from '../rules/endpoint';
import { siliconFlow } from '../services/batchServices';
import type { Shape } from '../shape';
import { depthOf } from '../scan/jsonTree';
import { lineFormOf, lineShapeAt, shapeWithin, takesText } from './lineShape';

/** A suggestion for the position of the cursor. */
export interface Completion extends Span {
  readonly label: string;
  readonly kind: 'member' | 'model' | 'value';
  /** Describes the property or value. Empty without a description. */
  readonly about: string;
  readonly takes: string;
  /** A snippet that replaces the span, including commas and colon. */
  readonly snippet: string;
  /** The text to compare with what is typed so far. */
  readonly filter: string;
  /** Accepting it opens the suggestions for its value. */
  readonly asksOn: boolean;
}

interface CompletionRequest {
  readonly text: string;
  readonly offset: number;
  /** The model ids the service lists, best first. */
  readonly models: readonly string[];
  /** Those of the service that the file is for; the public service's if absent. */
  readonly rules?: BatchRules;
}

/** Returns everything that can be written at a position, best first. */
export function completionsAt({ text, offset, models, rules = siliconFlow }: CompletionRequest): readonly Completion[] {
  const place = cursorPositionAt(text, offset);
  const shape = place && shapeWithin(lineShapeAt(rules, lineFormOf(text, rules)), place.path);
  if (!place || !shape) return [];
  const isSpaced = /"\s*: /.test(text.slice(0, 4096));
  const finish = (snippet: string) => {
    const spaced = isSpaced ? snippet.replace(/(":|,)(?=["{[$\d])/g, '$1 ') : snippet;
    const lead = place.needsCommaBefore ? (isSpaced && /\S$/.test(text.slice(0, place.start)) ? ', ' : ',') : '';
    return `${lead}${spaced}${place.needsCommaAfter ? ',' : ''}`;
  };
  const found = place.isKey ? members(place, shape) : values(place, shape, models);
  // If there already is a value, offer all others as replacements, not only those that begin with it.
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

/** Returns what a model must be for if a model ID is written at the position. */
export function modelJobAt(text: string, offset: number, rules: BatchRules = siliconFlow): ModelJob | undefined {
  const place = cursorPositionAt(text, offset);
  if (!place || place.isKey) return undefined;
  const form = lineFormOf(text, rules);
  return shapeWithin(lineShapeAt(rules, form), place.path)?.isModel ? (jobOf[form.kind] ?? 'chat') : undefined;
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

/** The underlying JSON parser is recursive. */
const deepestLine = 500;

/** The position of a cursor in a request, even in one that is not valid JSON yet. */
interface CursorPosition extends Span {
  /** From the request to the value at the cursor, or to the object whose member name is at the cursor. */
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
  /** The cursor is within double quotes; `start` is the opening one. */
  readonly isQuoted: boolean;
  /** For a name: the other names that its object already has. */
  readonly present: ReadonlySet<string>;
  readonly needsCommaBefore: boolean;
  readonly needsCommaAfter: boolean;
  /** The name is already followed by a colon. */
  readonly hasColon: boolean;
}

/** Returns `undefined` if the text nests far too deeply. */
function cursorPositionAt(text: string, offset: number): CursorPosition | undefined {
  if (depthOf(text) > deepestLine) return undefined;
  const { start, end, isQuoted } = tokenAt(text, offset);
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end).trimStart();
  const needsCommaBefore = before !== '' && !/[{[,:]$/.test(before);
  const hasColon = after.startsWith(':');
  const needsCommaAfter = !hasColon && after !== '' && !/^[}\],]/.test(after);
  // Replace what is being typed with an empty string, adding any missing commas, so that the rest is parsed as intended.
  const lead = `${before}${needsCommaBefore ? ',' : ''}`;
  const whole = `${lead}""${needsCommaAfter ? ',' : ''}${after}`;
  const { path, isAtPropertyKey } = getLocation(whole, lead.length + 1);
  // The library still reports a name after an empty object in an array.
  const isKey = isAtPropertyKey && typeof path.at(-1) === 'string';
  const around = isKey ? path.slice(0, -1) : path;
  return {
    start,
    end,
    isQuoted,
    path: around,
    isKey,
    present: isKey ? namesAt(whole, around) : new Set(),
    needsCommaBefore,
    needsCommaAfter,
    hasColon,
  };
}

/**
 * Returns the span of the name, string or number at the cursor. A quote just typed opens a string that runs to the next quote,
 * wherever that is, so only what looks like the rest of a word is included.
 */
function tokenAt(text: string, offset: number): Span & { readonly isQuoted: boolean } {
  const quote = openQuote(text, offset);
  if (quote === undefined) {
    const start = offset - /[\w.+-]*$/.exec(text.slice(Math.max(0, offset - 100), offset))![0].length;
    return { start, end: offset + /^[\w.+-]*/.exec(text.slice(offset, offset + 100))![0].length, isQuoted: false };
  }
  // A quote directly before a word opens another string.
  const [rest] = /^[\w./:-]*(?:"(?!\w))?/.exec(text.slice(offset))!;
  const isWhole = rest.endsWith('"') || rest === '';
  return { start: quote, end: isWhole ? offset + rest.length : offset, isQuoted: true };
}

/** Returns the position of the opening quote of the string that contains the cursor; `undefined` if none does. */
function openQuote(text: string, offset: number): number | undefined {
  let open: number | undefined;
  for (let index = 0; index < offset; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) open = open === undefined ? index : undefined;
    else if (unit === 0x5c && open !== undefined) index++;
    // A string ends with its line, whether closed or not.
    else if (unit === 0x0a) open = undefined;
  }
  return open;
}

function namesAt(text: string, path: readonly (string | number)[]): ReadonlySet<string> {
  const root = parseTree(text);
  const object = root && (path.length === 0 ? root : findNodeAtLocation(root, [...path]));
  const names = (object?.type === 'object' ? object.children : undefined)?.map(({ children }) => children?.[0]?.value);
  return new Set(names?.filter((name): name is string => typeof name === 'string' && name !== ''));
}
