import type { OwnBounds } from '../api/bounds';
import { getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { ParameterIssue } from '../api/parameters';
import { typedNumber } from '../parameters/typedValue';
import {
  checkBias,
  checkCompletionParameter,
  completionParameterNames,
  isCompletionParameter,
} from './completionParameters';
import type { CompletionParameterName, CompletionParameters } from './completionParameters';

/** A problem in the parameter text. */
export type TextFault =
  /** `what` is the parser's error name, e.g. `CommaExpected`. */
  | { readonly kind: 'syntax'; readonly what: string }
  | { readonly kind: 'notObject' }
  | { readonly kind: 'unknownName'; readonly name: string }
  /** A part of a request that is not set here. */
  | { readonly kind: 'elsewhere'; readonly name: Elsewhere }
  /** A duplicate; the first occurrence applies. */
  | { readonly kind: 'twice'; readonly name: string }
  | { readonly kind: 'notNumber' }
  /** A number in quotes. */
  | { readonly kind: 'quoted' }
  | { readonly kind: 'noBias' }
  | { readonly kind: 'parameter'; readonly issue: ParameterIssue };

const elsewhere = ['model', 'prompt', 'suffix', 'stream', 'stream_options'] as const;
export type Elsewhere = (typeof elsewhere)[number];

export interface TextIssue {
  readonly fault: TextFault;
  /** The parameter concerned; absent if the issue is about the text itself or a key in it. */
  readonly name?: CompletionParameterName;
  /** Index of the entry in `stop` or `logit_bias`, from 0. */
  readonly row?: number;
  readonly offset: number;
  readonly length: number;
}

/** The parsed contents of a parameter text. */
export interface TextReading {
  /** The parameters to send, without those that have an issue. */
  readonly parameters: CompletionParameters;
  readonly issues: readonly TextIssue[];
  /** `undefined` if the text is not a JSON object. */
  readonly root: Node | undefined;
}

/** Parses a parameter text. An empty object or an empty text sets nothing. `own`: the bounds of its service. */
export function readParameterText(text: string, own: OwnBounds = {}): TextReading {
  const errors: ParseError[] = [];
  const root = treeOf(isBlank(text) ? '{}' : text, errors);
  const [error] = errors;
  if (error) {
    const offset = Math.min(error.offset, text.trimEnd().length);
    const fault: TextFault = { kind: 'syntax', what: printParseErrorCode(error.error) };
    return broken({ fault, offset, length: Math.min(error.length, text.length - offset) });
  }
  if (root?.type !== 'object') {
    return broken({ fault: { kind: 'notObject' }, offset: root?.offset ?? 0, length: root?.length ?? 0 });
  }
  const found: { [name: string]: unknown } = {};
  const issues: TextIssue[] = [];
  for (const [key, value] of properties(root)) {
    const name = String(key.value);
    if (!isCompletionParameter(name)) issues.push(at(key, { fault: strange(name) }));
    else if (Object.hasOwn(found, name)) issues.push(at(key, { name, fault: { kind: 'twice', name } }));
    else {
      const read = readValue(name, value, own);
      for (const one of read.issues) issues.push(one);
      found[name] = read.value;
    }
  }
  const set = completionParameterNames.filter((name) => found[name] !== undefined);
  return { parameters: Object.fromEntries(set.map((name) => [name, found[name]])), issues, root };
}

/** A text nested too deeply for the recursive parser isn't an object with parameters. */
function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Formats the parameters as JSON text. */
export function parameterText(parameters: CompletionParameters): string {
  const set = completionParameterNames.filter((name) => parameters[name] !== undefined);
  return JSON.stringify(Object.fromEntries(set.map((name) => [name, parameters[name]])), undefined, 2);
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Returns the key and value nodes of each property of an object, in source order. */
export function properties(node: Node): readonly (readonly [Node, Node])[] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => (key && value ? [[key, value]] : []));
}

interface ReadValue {
  readonly value?: unknown;
  readonly issues: readonly TextIssue[];
}

function readValue(name: CompletionParameterName, node: Node, own: OwnBounds): ReadValue {
  if (node.type === 'null') return { issues: [] };
  if (name === 'stop') return readStops(node);
  if (name === 'logit_bias' && node.type === 'object') return readBiases(node);
  const value: unknown = getNodeValue(node);
  const [issue] = checkCompletionParameter(name, value, own);
  if (!issue) return { value, issues: [] };
  const fault = typeof value === 'string' ? textFault(value) : ({ kind: 'parameter', issue } as const);
  return { issues: [at(node, { name, fault })] };
}

/** Also accepts a single string, as other servers do. Empty strings are not sent. */
function readStops(node: Node): ReadValue {
  if (node.type === 'string') return { value: node.value === '' ? undefined : [String(node.value)], issues: [] };
  if (node.type !== 'array') {
    const issue: ParameterIssue = { parameter: 'stop', rule: 'type', bound: 'array' };
    return { issues: [at(node, { name: 'stop', fault: { kind: 'parameter', issue } })] };
  }
  const entries = node.children ?? [];
  const texts = entries.flatMap((entry) =>
    entry.type === 'string' && entry.value !== '' ? [String(entry.value)] : [],
  );
  const issues = entries.flatMap((entry, row) => {
    if (entry.type === 'string') return [];
    const issue: ParameterIssue = { parameter: `stop[${row}]`, rule: 'type', bound: 'string' };
    return [at(entry, { name: 'stop', row, fault: { kind: 'parameter', issue } })];
  });
  return { ...(texts.length > 0 && { value: texts }), issues };
}

function readBiases(node: Node): ReadValue {
  const biases = new Map<string, number>();
  const issues: TextIssue[] = [];
  for (const [row, [key, value]] of properties(node).entries()) {
    const token = String(key.value);
    const bias: unknown = getNodeValue(value);
    const isUnset = bias === null || bias === '';
    if (token === '' && isUnset) continue;
    const [issue] = checkBias(token, bias);
    const name = 'logit_bias';
    if (issue?.rule === 'pattern') issues.push(at(key, { name, row, fault: { kind: 'parameter', issue } }));
    else if (biases.has(token)) issues.push(at(key, { name, row, fault: { kind: 'twice', name: token } }));
    else if (isUnset) issues.push(at(value, { name, row, fault: { kind: 'noBias' } }));
    else if (typeof bias === 'string') issues.push(at(value, { name, row, fault: textFault(bias) }));
    else if (issue) issues.push(at(value, { name, row, fault: { kind: 'parameter', issue } }));
    else biases.set(token, Number(bias));
  }
  return { ...(biases.size > 0 && { value: Object.fromEntries(biases) }), issues };
}

function textFault(value: string): TextFault {
  return { kind: typedNumber(value) === undefined ? 'notNumber' : 'quoted' };
}

function strange(name: string): TextFault {
  const part = elsewhere.find((one) => one === name);
  return part ? { kind: 'elsewhere', name: part } : { kind: 'unknownName', name };
}

function at({ offset, length }: Node, issue: Omit<TextIssue, 'offset' | 'length'>): TextIssue {
  return { ...issue, offset, length };
}

function broken(issue: TextIssue): TextReading {
  return { parameters: {}, issues: [issue], root: undefined };
}
