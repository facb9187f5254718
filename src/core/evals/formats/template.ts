import { isObject } from '../../api/isObject';

/** What could not be filled in: the name of a variable, or the expression as written. */
export interface TemplateGap {
  readonly kind: 'unknown' | 'environment' | 'unsupported';
  readonly text: string;
}

interface FilledTemplate {
  readonly text: string;
  readonly gaps: readonly TemplateGap[];
}

/** Filled texts are not filled again, and no text grows beyond this. */
const mostFilled = 10_000_000;
const mostGaps = 20;

/** Between the marks, neither brace occurs, so an unclosed mark costs no backtracking. */
const place = /\{\{([^{}]*)\}\}|\{%[^%{}]*%\}|\{#[^#{}]*#\}/g;
const expression =
  /^[-\s]*([\p{L}_$][\p{L}\p{N}_$-]*)((?:\.[\p{L}\p{N}_$]+|\[(?:\d+|'[^']*'|"[^"]*")\])*)((?:\s*\|\s*[\w]+(?:\([^()]*\))?)*)[-\s]*$/u;

const filters: Readonly<Record<string, (value: unknown) => unknown>> = {
  trim: (value) => toText(value).trim(),
  upper: (value) => toText(value).toUpperCase(),
  lower: (value) => toText(value).toLowerCase(),
  safe: (value) => value,
  string: toText,
  dump: (value) => JSON.stringify(value) ?? '',
  tojson: (value) => JSON.stringify(value) ?? '',
  length: (value) => (Array.isArray(value) || typeof value === 'string' ? value.length : 0),
  first: (value) => (Array.isArray(value) ? (value[0] as unknown) : toText(value).slice(0, 1)),
  last: (value) => (Array.isArray(value) ? (value.at(-1) as unknown) : toText(value).slice(-1)),
  join: (value) => (Array.isArray(value) ? value.map(toText).join('') : toText(value)),
};

/**
 * Fills the placeholders of a Nunjucks template: variables, their members, and filters that need no code. Everything else, such as
 * `{% if %}`, calls, and `env`, is reported and left empty. Never evaluates anything.
 */
export function fillTemplate(template: string, vars: ReadonlyMap<string, unknown>): FilledTemplate {
  const gaps: TemplateGap[] = [];
  const gap = (kind: TemplateGap['kind'], text: string) => {
    if (gaps.length < mostGaps && !gaps.some((one) => one.text === text)) gaps.push({ kind, text });
    return '';
  };
  let length = template.length;
  const text = template.replaceAll(place, (found: string, inner: string | undefined) => {
    if (found.startsWith('{#')) return '';
    if (inner === undefined) return gap('unsupported', found);
    const [, name = '', path = '', used = ''] = expression.exec(inner) ?? [];
    if (name === '') return gap('unsupported', found);
    if (!vars.has(name)) return gap(name === 'env' || name === 'process' ? 'environment' : 'unknown', inner.trim());
    let value = vars.get(name);
    for (const [, dotted, index] of path.matchAll(/\.([^.[\]]+)|\[([^\]]*)\]/g))
      value = memberOf(value, dotted ?? (index ?? '').replaceAll(/^['"]|['"]$/g, ''));
    for (const [, filter = ''] of used.matchAll(/\|\s*(\w+)/g)) {
      if (!Object.hasOwn(filters, filter)) return gap('unsupported', found);
      value = filters[filter]?.(value);
    }
    const filled = toText(value);
    length += filled.length;
    return length > mostFilled ? gap('unsupported', found) : filled;
  });
  return { text, gaps };
}

/** Names in the placeholders of a template, in order of occurrence. */
export function namesIn(template: string): readonly string[] {
  const names = Array.from(template.matchAll(place), ([, inner = '']) => expression.exec(inner)?.[1] ?? '');
  return [...new Set(names.filter((name) => name !== ''))];
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)] as unknown;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Nunjucks writes lists with commas, and objects are more useful as JSON than as `[object Object]`. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => !isObject(one) && !Array.isArray(one)))
    return value.map(toText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}
