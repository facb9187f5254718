import type * as z from 'zod/mini';
import { ApiError } from './errors';
import type { ParameterIssue, ParameterRule, ParameterWarning } from './parameters';

/**
 * The allowed values of a parameter. The plain bounds are the specification's: a value beyond them is rejected before sending. The
 * advised ones are those where specification and practice differ, or that hold for some models only: beyond them only a warning is issued.
 */
export interface Bound {
  readonly integer?: true;
  readonly min?: number;
  readonly max?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** In characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly oneOf?: readonly string[];
  readonly pattern?: RegExp;
  readonly advised?: Omit<Bound, 'advised'> & {
    /** The models known to support the parameter. */
    readonly models?: RegExp;
  };
}

/** Bounds by parameter name, as on the wire. */
export type Bounds<Request> = { readonly [Name in keyof Request & string]?: Bound };

/** The requests for which a service can have its own bounds. `chat`: the settings of a chat. `batch`: a request in a batch file. */
type BoundedRequest =
  | 'chat'
  | 'messages'
  | 'completions'
  | 'batch'
  | 'rerank'
  | 'embeddings'
  | 'images'
  | 'videos'
  | 'batches';

/** The bounds that one service sets besides, or in place of, those of all; by request and parameter. */
export type OwnBounds = { readonly [Request in BoundedRequest]?: Readonly<Record<string, Bound>> };

/** Returns the bounds of all services with those of one. */
export function withOwn<Request>(bounds: Bounds<Request>, own: Readonly<Record<string, Bound>> = {}): Bounds<Request> {
  const all = bounds as Readonly<Record<string, Bound>>;
  const merged = Object.entries(own).map(([name, bound]) => [name, { ...all[name], ...bound }] as const);
  return { ...all, ...Object.fromEntries(merged) } as Bounds<Request>;
}

/** Maximum length of a value quoted in an issue, because the value can be an entire image. */
const shownChars = 60;

type Fields = Readonly<Record<string, unknown>>;

/** Returns a warning for every value beyond the advised bounds; such a request is sent nevertheless. */
export function warningsOf<Request extends object>(
  request: Request,
  bounds: Bounds<Request>,
): readonly ParameterWarning[] {
  const fields = request as Fields;
  const { model } = fields;
  return entries(bounds).flatMap(([parameter, { advised }]) => {
    const value = fields[parameter];
    if (!advised || value === undefined || value === null) return [];
    const issues = issuesOf(parameter, value, advised);
    const isForeign = advised.models && typeof model === 'string' && !advised.models.test(model);
    return isForeign ? [...issues, { parameter, rule: 'modelSupport' as const, actual: model }] : issues;
  });
}

/** Returns every broken bound. Ignores unset parameters and does not check types. */
export function boundIssues<Request extends object>(
  request: Partial<Request>,
  bounds: Bounds<Request>,
): readonly ParameterIssue[] {
  const fields = request as Fields;
  return entries(bounds).flatMap(([parameter, bound]) => {
    const value = fields[parameter];
    return value === undefined || value === null ? [] : issuesOf(parameter, value, bound);
  });
}

/** Throws `invalidParameter` with the first offending parameter and the bound it breaks. Ignores unset parameters. */
export function checkRequest<Request extends object>(
  request: Request,
  schema: z.ZodMiniType<unknown>,
  bounds: Bounds<Request>,
): void {
  const parsed = schema.safeParse(request);
  if (!parsed.success) throw invalidParameter(misfit(parsed.error, request));
  const [issue] = boundIssues(request, bounds);
  if (issue) throw invalidParameter(issue);
}

export function invalidParameter(issue: ParameterIssue): ApiError {
  return new ApiError({
    kind: 'invalidParameter',
    message: fact(issue),
    parameter: issue.parameter,
    issue,
    sent: false,
  });
}

function entries<Request>(bounds: Bounds<Request>): readonly (readonly [string, Bound])[] {
  return Object.entries(bounds) as readonly (readonly [string, Bound])[];
}

function issuesOf(parameter: string, value: unknown, bound: Bound): ParameterIssue[] {
  const issues: ParameterIssue[] = [];
  const add = (rule: ParameterRule, limit: ParameterIssue['bound'], actual: number | string) =>
    issues.push({ parameter, rule, bound: limit, actual });
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || (bound.integer && !Number.isInteger(value))) add('integer', undefined, value);
    if (bound.min !== undefined && value < bound.min) add('min', bound.min, value);
    if (bound.max !== undefined && value > bound.max) add('max', bound.max, value);
  }
  if (Array.isArray(value)) {
    if (bound.minItems !== undefined && value.length < bound.minItems) add('minItems', bound.minItems, value.length);
    if (bound.maxItems !== undefined && value.length > bound.maxItems) add('maxItems', bound.maxItems, value.length);
  }
  if (typeof value === 'string') {
    if (bound.minLength !== undefined && value.length < bound.minLength)
      add('minLength', bound.minLength, value.length);
    if (bound.maxLength !== undefined && value.length > bound.maxLength)
      add('maxLength', bound.maxLength, value.length);
    if (bound.oneOf && !bound.oneOf.includes(value)) add('oneOf', bound.oneOf, value.slice(0, shownChars));
    if (bound.pattern && !bound.pattern.test(value)) add('pattern', bound.pattern.source, value.slice(0, shownChars));
  }
  return issues;
}

/** Describes the first shape error of a request, with the path in the wire's own names. */
function misfit(error: z.core.$ZodError, request: unknown): ParameterIssue {
  const issue = deepest(error.issues);
  const parameter = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return { parameter: pathText([...issue.path, issue.keys[0] ?? '']), rule: 'unknown' };
  }
  if (issue.code === 'invalid_value') return { parameter, rule: 'oneOf', bound: issue.values.map(String) };
  const value = issue.path.reduce<unknown>((at, key) => (isRecord(at) ? at[String(key)] : undefined), request);
  if (value === undefined) return { parameter, rule: 'required' };
  return { parameter, rule: 'type', bound: issue.code === 'invalid_type' ? issue.expected : undefined };
}

/** In a union, the branch that matched furthest is the most informative. */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [issue] = issues;
  if (!issue) throw new TypeError('A failed check names no issue.');
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .filter((branch) => branch.length > 0)
    .map((branch) => deepest(branch))
    .reduce<z.core.$ZodIssue | undefined>(
      (far, next) => (far && far.path.length >= next.path.length ? far : next),
      undefined,
    );
  return inner ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function fact({ parameter, rule, bound, actual }: ParameterIssue): string {
  const words = Array.isArray(bound) ? bound.join(', ') : String(bound ?? '');
  switch (rule) {
    case 'required':
      return `${parameter} is missing.`;
    case 'unknown':
      return `${parameter} is not a parameter of this request.`;
    case 'type':
      return words === '' ? `${parameter} has the wrong type.` : `${parameter} must be of type ${words}.`;
    case 'integer':
      return `${parameter} must be a whole number, not ${actual}.`;
    case 'min':
      return `${parameter} must be at least ${words}, not ${actual}.`;
    case 'max':
      return `${parameter} must be ${words} or less, not ${actual}.`;
    case 'minItems':
      return `${parameter} must have at least ${words} entries, not ${actual}.`;
    case 'maxItems':
      return `${parameter} can have up to ${words} entries, not ${actual}.`;
    case 'minLength':
      return `${parameter} must have at least ${words} characters, not ${actual}.`;
    case 'maxLength':
      return `${parameter} can have up to ${words} characters, not ${actual}.`;
    case 'oneOf':
      return actual === undefined
        ? `${parameter} must be one of ${words}.`
        : `${parameter} must be one of ${words}, not ${actual}.`;
    case 'pattern':
      return `${parameter} must match ${words}, not ${actual}.`;
    case 'modelSupport':
      return `${actual} might not support ${parameter}.`;
  }
}
