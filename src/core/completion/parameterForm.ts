import { applyEdits, findNodeAtLocation, getNodeValue, modify } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';
import { numbersAt } from '../parameters/parameterTable';
import type { NumberAt } from '../parameters/parameterTable';
import { escaped, typedNumber, unescaped } from '../parameters/typedValue';
import type { CompletionParameters } from './completionParameters';
import { isBlank, properties, readParameterText } from './parameterText';

type CompletionNumber = NumberAt<'completions'>;

const numberNames = numbersAt('completions');

/** The parameters as form fields; an empty field is unset. */
export interface CompletionForm {
  /** By name. A missing one is unchanged. */
  readonly numbers: Readonly<Record<string, string>>;
  /** With `\n`, `\t` and `\\` written as escapes. */
  readonly stop: readonly string[];
  readonly logit_bias: readonly BiasRow[];
}

export interface BiasRow {
  readonly token: string;
  readonly bias: string;
}

/** Reads the fields from a text; `undefined` if it is not a JSON object. A value that is not a number appears in its field unchanged. */
export function formOfText(text: string): CompletionForm | undefined {
  const { root } = readParameterText(text);
  return root && formOf(root);
}

export function formOfParameters(parameters: CompletionParameters): CompletionForm {
  const number = (name: CompletionNumber) => parameters[name]?.toString() ?? '';
  return {
    numbers: numbers(number),
    stop: (parameters.stop ?? []).map(escaped),
    logit_bias: Object.entries(parameters.logit_bias ?? {}).map(([token, bias]) => ({ token, bias: String(bias) })),
  };
}

/**
 * Writes the fields into the text. Everything that the form did not change or doesn't know is preserved. White space next to a change can
 * differ. All field contents end up in the text: an invalid number as a string, and a duplicate token twice.
 */
export function writeForm(text: string, form: CompletionForm): string {
  const { root } = readParameterText(text);
  if (!root) return text;
  const before = formOf(root);
  let next = isBlank(text) ? '{}' : text;
  for (const name of numberNames) {
    const { [name]: typed = before.numbers[name] ?? '' } = form.numbers;
    if (typed !== before.numbers[name]) next = setValue(next, name, valueOf(typed, undefined));
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

/** Edits the text by hand: an object cannot have the same key twice, but its text can. */
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

/** How JSON writes very small and very large numbers: a field that shows one must be able to read it back. */
const exponential = /^-?\d+(\.\d+)?e[+-]?\d+$/i;

function formOf(root: Node): CompletionForm {
  const at = (name: string) => findNodeAtLocation(root, [name]);
  const stop = at('stop');
  const biases = at('logit_bias');
  return {
    numbers: numbers((name) => shown(at(name))),
    stop:
      stop === undefined || stop.type === 'null' ? [] : (stop.children ?? [stop]).map((entry) => escaped(shown(entry))),
    logit_bias:
      biases?.type === 'object'
        ? properties(biases).map(([token, bias]) => ({ token: String(token.value), bias: shown(bias) }))
        : [],
  };
}

function numbers(show: (name: CompletionNumber) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(numberNames.map((name) => [name, show(name)]));
}

function shown(node: Node | undefined): string {
  const value: unknown = node && getNodeValue(node);
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
