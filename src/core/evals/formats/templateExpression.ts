import { isObject } from '../../api/isObject';

/** Thrown for an expression that can't be read, or that would run code. */
export class Unsupported extends Error {}

/** The values for a template, and the rest of its limits. */
export interface Filling {
  readonly vars: ReadonlyMap<string, unknown>;
  readonly gap: (kind: 'unknown' | 'environment' | 'unsupported', text: string) => void;
  /** Characters and steps that are left. */
  left: number;
  steps: number;
}

export type Value = (filling: Filling) => unknown;
type Filter = (value: unknown, args: readonly unknown[]) => unknown;

const deepest = 50;
const mostParts = 500;
const part =
  /\s*(?:([\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*)|(\d+(?:\.\d+)?)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(===|!==|==|!=|<=|>=|\/\/|[-<>+*/%~|.,()[\]:])|$)/uy;

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? Array.from(value)
      : isObject(value)
        ? Object.values(value)
        : [];
const json: Filter = (value, [spaces]) => JSON.stringify(value, undefined, Number(spaces ?? 0) || undefined) ?? '';
const length: Filter = (value) =>
  isObject(value) ? Object.keys(value).length : Array.isArray(value) || typeof value === 'string' ? value.length : 0;
const orElse: Filter = (value, [other = '', isLoose]) =>
  (isLoose === true ? isTrue(value) : value !== undefined) ? value : other;
const number = (value: unknown, otherwise: unknown): unknown => {
  const read = Number(value);
  return Number.isFinite(read) && value !== null && value !== '' ? read : (otherwise ?? 0);
};

const filters: Readonly<Record<string, Filter>> = {
  trim: (value) => toText(value).trim(),
  upper: (value) => toText(value).toUpperCase(),
  lower: (value) => toText(value).toLowerCase(),
  capitalize: (value) => capitalized(toText(value)),
  title: (value) => toText(value).replaceAll(/\S+/g, capitalized),
  safe: (value) => value,
  string: toText,
  dump: json,
  tojson: json,
  length,
  count: length,
  first: (value) => (Array.isArray(value) ? (value[0] as unknown) : toText(value).slice(0, 1)),
  last: (value) => (Array.isArray(value) ? (value.at(-1) as unknown) : toText(value).slice(-1)),
  join: (value, [between = '', name]) =>
    Array.isArray(value)
      ? value.map((one) => toText(name === undefined ? one : memberOf(one, toText(name)))).join(toText(between))
      : toText(value),
  default: orElse,
  d: orElse,
  replace: (value, [from, to = '']) => {
    const old = toText(from);
    return old === '' ? value : toText(value).split(old).join(toText(to).slice(0, 10_000));
  },
  round: (value, [digits]) => {
    const scale = 10 ** Math.min(15, Number(digits ?? 0) || 0);
    return Math.round(Number(value) * scale) / scale;
  },
  int: (value, [otherwise]) => number(Number.parseInt(toText(value), 10), otherwise),
  float: (value, [otherwise]) => number(Number.parseFloat(toText(value)), otherwise),
  abs: (value) => Math.abs(Number(value)),
  reverse: (value) => (Array.isArray(value) ? value.toReversed() : Array.from(toText(value)).toReversed().join('')),
  sort: (value) => listOf(value).toSorted((a, b) => (a === b ? 0 : (a as string) < (b as string) ? -1 : 1)),
  list: listOf,
  unique: (value) => [...new Set(listOf(value))],
  wordcount: (value) => toText(value).match(/\w+/g)?.length ?? 0,
  escape: (value) => escaped(toText(value)),
  e: (value) => escaped(toText(value)),
  urlencode: (value) => encodeURIComponent(toText(value).replaceAll(/\p{Surrogate}/gu, '\uFFFD')),
  indent: (value, [width = 4, isFirst]) => {
    const lines = toText(value).split('\n');
    const spaces = ' '.repeat(Math.min(100, Math.max(0, Number(width) || 0)));
    return lines.map((line, index) => (index === 0 && isFirst !== true ? line : spaces + line)).join('\n');
  },
  truncate: (value, [most = 255, cutsWords, end = '...']) => {
    const text = toText(value);
    const limit = Math.max(0, Number(most) || 0);
    if (text.length <= limit) return text;
    const space = cutsWords === true ? -1 : text.lastIndexOf(' ', limit);
    return text.slice(0, space === -1 ? limit : space) + toText(end);
  },
};

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  none: (value) => value === null,
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  odd: (value) => Math.abs(Number(value) % 2) === 1,
  even: (value) => Number(value) % 2 === 0,
};

const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
  ['null', null],
]);

const comparisons: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': isEqual,
  '===': (a, b) => a === b,
  '!=': (a, b) => !isEqual(a, b),
  '!==': (a, b) => a !== b,
  '<': (a, b) => (a as number) < (b as number),
  '>': (a, b) => (a as number) > (b as number),
  '<=': (a, b) => (a as number) <= (b as number),
  '>=': (a, b) => (a as number) >= (b as number),
};

const sums: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  '+': (a, b) => (typeof a === 'number' && typeof b === 'number' ? a + b : toText(a) + toText(b)),
  '-': (a, b) => Number(a) - Number(b),
  '~': (a, b) => toText(a) + toText(b),
};
const products: typeof sums = {
  '*': (a, b) => Number(a) * Number(b),
  '/': (a, b) => Number(a) / Number(b),
  '//': (a, b) => Math.floor(Number(a) / Number(b)),
  '%': (a, b) => Number(a) % Number(b),
};

interface Part {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'end';
  readonly text: string;
}

/** Reads an expression by the rules of Nunjucks. Calls, and whatever else would run code, are `Unsupported`. */
export class ExpressionReader {
  private readonly parts: readonly Part[];
  private at = 0;
  private depth = 0;

  constructor(
    source: string,
    /** The variables that are read. */
    readonly names: Set<string>,
  ) {
    this.parts = partsOf(source);
  }

  /** Whether a word or sign comes next, which is then read. */
  takes(...texts: readonly string[]): string | undefined {
    const { kind, text } = this.parts[this.at]!;
    const isIt = (kind === 'sign' || kind === 'name') && texts.includes(text);
    if (isIt) this.at++;
    return isIt ? text : undefined;
  }

  expects(text: string): void {
    if (this.takes(text) === undefined) throw new Unsupported();
  }

  name(): string {
    const { kind, text } = this.parts[this.at++]!;
    if (kind !== 'name') throw new Unsupported();
    return text;
  }

  end(): void {
    if (this.parts[this.at]!.kind !== 'end') throw new Unsupported();
  }

  value(): Value {
    if (++this.depth > deepest) throw new Unsupported();
    const whole = this.either();
    this.depth--;
    if (this.takes('if') === undefined) return whole;
    const condition = this.either();
    const other = this.takes('else') === undefined ? undefined : this.value();
    return (filling) => (isTrue(condition(filling)) ? whole(filling) : other?.(filling));
  }

  private either(): Value {
    let left = this.both();
    while (this.takes('or') !== undefined) {
      const [first, second] = [left, this.both()];
      left = (filling) => {
        const value = first(filling);
        return isTrue(value) ? value : second(filling);
      };
    }
    return left;
  }

  private both(): Value {
    let left = this.negated();
    while (this.takes('and') !== undefined) {
      const [first, second] = [left, this.negated()];
      left = (filling) => {
        const value = first(filling);
        return isTrue(value) ? second(filling) : value;
      };
    }
    return left;
  }

  private negated(): Value {
    if (this.takes('not') === undefined) return this.compared();
    if (++this.depth > deepest) throw new Unsupported();
    const inner = this.negated();
    this.depth--;
    return (filling) => !isTrue(inner(filling));
  }

  private compared(): Value {
    const left = this.operated(sums, () => this.operated(products, () => this.filtered()));
    if (this.takes('is') !== undefined) {
      const isNot = this.takes('not') !== undefined;
      const name = this.name();
      const test = Object.hasOwn(tests, name) ? tests[name] : undefined;
      if (!test) throw new Unsupported();
      return (filling) => test(left(filling)) !== isNot;
    }
    const isNot = this.takes('not') !== undefined;
    if (isNot || this.takes('in') !== undefined) {
      if (isNot) this.expects('in');
      const whole = this.filtered();
      return (filling) => isIn(left(filling), whole(filling)) !== isNot;
    }
    const sign = this.takes(...Object.keys(comparisons));
    if (sign === undefined) return left;
    const right = this.operated(sums, () => this.operated(products, () => this.filtered()));
    return (filling) => comparisons[sign]!(left(filling), right(filling));
  }

  private operated(operators: typeof sums, operand: () => Value): Value {
    let left = operand();
    for (;;) {
      const sign = this.takes(...Object.keys(operators));
      if (sign === undefined) return left;
      const [first, second] = [left, operand()];
      left = (filling) => operators[sign]!(first(filling), second(filling));
    }
  }

  private filtered(): Value {
    let value = this.single();
    while (this.takes('|') !== undefined) {
      const name = this.name();
      const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
      if (!filter) throw new Unsupported();
      const args = this.takes('(') === undefined ? [] : this.list(')');
      const inner = value;
      value = (filling) =>
        filter(
          inner(filling),
          args.map((arg) => arg(filling)),
        );
    }
    return value;
  }

  private list(end: string): readonly Value[] {
    const values: Value[] = [];
    while (this.takes(end) === undefined) {
      if (values.length > 0) this.expects(',');
      values.push(this.value());
    }
    return values;
  }

  private single(): Value {
    const { kind, text } = this.parts[this.at++]!;
    if (kind === 'number') return this.members(() => Number(text));
    if (kind === 'text') return this.members(() => text);
    if (kind === 'name') {
      if (constants.has(text)) return () => constants.get(text);
      this.names.add(text);
      return this.members(({ vars }) => vars.get(text));
    }
    if (text === '-') {
      const inner = this.single();
      return (filling) => -Number(inner(filling));
    }
    if (text === '(') {
      const inner = this.value();
      this.expects(')');
      return this.members(inner);
    }
    if (text !== '[') throw new Unsupported();
    const items = this.list(']');
    return this.members((filling) => items.map((item) => item(filling)));
  }

  private members(start: Value): Value {
    let value = start;
    for (;;) {
      const inner = value;
      if (this.takes('.') !== undefined) {
        const { kind, text } = this.parts[this.at++]!;
        if (kind !== 'name' && kind !== 'number') throw new Unsupported();
        value = (filling) => memberOf(inner(filling), text);
      } else if (this.takes('[') !== undefined) {
        const name = this.value();
        this.expects(']');
        value = (filling) => memberOf(inner(filling), toText(name(filling)));
      } else return value;
    }
  }
}

function partsOf(source: string): readonly Part[] {
  const parts: Part[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < source.length || parts.length === 0) {
    const [found, name, digits, double, single, sign] = part.exec(source) ?? [];
    if (found === undefined || parts.length > mostParts) throw new Unsupported();
    const text = double ?? single;
    if (name !== undefined) parts.push({ kind: 'name', text: name });
    else if (digits !== undefined) parts.push({ kind: 'number', text: digits });
    else if (text !== undefined) parts.push({ kind: 'text', text: unescaped(text) });
    else if (sign !== undefined) parts.push({ kind: 'sign', text: sign });
    else break;
  }
  return [...parts, { kind: 'end', text: '' }];
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, one: string) => (one === 'n' ? '\n' : one === 't' ? '\t' : one));
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return name === 'length' ? value.length : (value[Number(name)] as unknown);
  if (typeof value === 'string') return name === 'length' ? value.length : value[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isTrue(value: unknown): boolean {
  return Boolean(value);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a !== '' && b !== '' && Number(a) === Number(b);
  return a === b || (a ?? null) === (b ?? null);
}

function isIn(value: unknown, whole: unknown): boolean {
  if (typeof whole === 'string') return whole.includes(toText(value));
  return Array.isArray(whole)
    ? whole.some((one) => isEqual(one, value))
    : isObject(whole) && Object.hasOwn(whole, toText(value));
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
  return text.replaceAll(/[&<>"']/g, (one) => `&${names[one]};`);
}

/** Nunjucks writes lists with commas, and objects are more useful as JSON than as `[object Object]`. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => !isObject(one) && !Array.isArray(one)))
    return value.map(toText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}
