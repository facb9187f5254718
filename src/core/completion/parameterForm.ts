import { applyEdits, findNodeAtLocation, getNodeValue, modify } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';
import { escaped, typedNumber, unescaped } from '../parameters/typedValue';
import { completionParameterNames } from './completionParameters';
import type { CompletionParameterName, CompletionParameters } from './completionParameters';
import { isBlank, properties, readParameterText } from './parameterText';

export type CompletionNumber = Exclude<CompletionParameterName, 'stop' | 'logit_bias'>;

const numberNames = completionParameterNames.filter((name): name is CompletionNumber => !isList(name));

function isList(name: CompletionParameterName): name is 'stop' | 'logit_bias' {
  return name === 'stop' || name === 'logit_bias';
}

/** The parameters as fields: an empty one is not set. */
export interface CompletionForm extends Readonly<Record<CompletionNumber, string>> {
  /** `\n`, `\t` and `\\` stand for themselves. */
  readonly stop: readonly string[];
  readonly logit_bias: readonly BiasRow[];
}

export interface BiasRow {
  readonly token: string;
  readonly bias: string;
}

/** The fields of a text; `undefined` where it is no JSON object. What is no number stands in its field as it is. */
export function formOfText(text: string): CompletionForm | undefined {
  const { root } = readParameterText(text);
  return root && formOf(root);
}

export function formOfParameters(parameters: CompletionParameters): CompletionForm {
  const number = (name: CompletionNumber) => parameters[name]?.toString() ?? '';
  return {
    ...numbers(number),
    stop: (parameters.stop ?? []).map(escaped),
    logit_bias: Object.entries(parameters.logit_bias ?? {}).map(([token, bias]) => ({ token, bias: String(bias) })),
  };
}

/**
 * The text with the fields in it. What is not changed by the form stays, and so does what the form does not know; spaces beside a
 * change may become others. Whatever stands in a field is in the text: what is no number as text, and a token that is named twice twice.
 */
export function writeForm(text: string, form: CompletionForm): string {
  const { root } = readParameterText(text);
  if (!root) return text;
  const before = formOf(root);
  let next = isBlank(text) ? '{}' : text;
  for (const name of numberNames) {
    if (form[name] !== before[name]) next = setValue(next, name, valueOf(form[name], undefined));
  }
  if (JSON.stringify(form.stop) !== JSON.stringify(before.stop)) {
    next = setValue(next, 'stop', form.stop.length === 0 ? undefined : form.stop.map(unescaped));
  }
  if (JSON.stringify(form.logit_bias) !== JSON.stringify(before.logit_bias)) next = setBiases(next, form.logit_bias);
  return next;
}

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' } as const;

function setValue(text: string, name: string, value: unknown): string {
  return applyEdits(text, modify(text, [name], value, { formattingOptions }));
}

/** By hand: an object cannot have a name twice, its text can. */
function setBiases(text: string, rows: readonly BiasRow[]): string {
  if (rows.length === 0) return setValue(text, 'logit_bias', undefined);
  const known = nodeOf(text) ? text : setValue(text, 'logit_bias', {});
  const node = nodeOf(known);
  if (!node) return text;
  const entries = rows.map(({ token, bias }) => {
    return `    ${JSON.stringify(token.trim())}: ${JSON.stringify(valueOf(bias, null))}`;
  });
  const content = `{\n${entries.join(',\n')}\n  }`;
  return known.slice(0, node.offset) + content + known.slice(node.offset + node.length);
}

function nodeOf(text: string): Node | undefined {
  const { root } = readParameterText(text);
  return root && findNodeAtLocation(root, ['logit_bias']);
}

function valueOf<Unset>(typed: string, unset: Unset): number | string | Unset {
  const text = typed.trim();
  if (text === '') return unset;
  return typedNumber(text) ?? (exponential.test(text) ? Number(text) : text);
}

/** How JSON writes very small and very large numbers: the form shows what it may get back. */
const exponential = /^-?\d+(\.\d+)?e[+-]?\d+$/i;

function formOf(root: Node): CompletionForm {
  const at = (name: string) => findNodeAtLocation(root, [name]);
  const stop = at('stop');
  const biases = at('logit_bias');
  return {
    ...numbers((name) => shown(at(name))),
    stop:
      stop === undefined || stop.type === 'null' ? [] : (stop.children ?? [stop]).map((entry) => escaped(shown(entry))),
    logit_bias:
      biases?.type === 'object'
        ? properties(biases).map(([token, bias]) => ({ token: String(token.value), bias: shown(bias) }))
        : [],
  };
}

function numbers(show: (name: CompletionNumber) => string): Readonly<Record<CompletionNumber, string>> {
  return Object.fromEntries(numberNames.map((name) => [name, show(name)])) as Record<CompletionNumber, string>;
}

function shown(node: Node | undefined): string {
  const value: unknown = node && getNodeValue(node);
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
