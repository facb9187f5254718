import { type Document, type Node, type YAMLMap, isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Span } from '../batch/problem';
import { nearestIds } from '../catalogue/nearestIds';
import { parseYaml } from '../text/parseYaml';
import { type OwnBounds, boundIssues, warningsOf, withOwn } from '../api/bounds';
import { type ChatParameters, chatBounds } from '../conversation/chatParameters';
import { vendorRules } from '../profiles/vendorRules';
import { conflictMarks, splitPrompt } from './frontMatter';
import { findPlaceholders } from './placeholders';
import {
  type Prompt,
  type PromptModel,
  type PromptParameter,
  type PromptVariable,
  mostFrontMatterCharacters,
  mostPromptCharacters,
  promptKeys,
  promptParameters,
  variableKeys,
} from './prompt';
import { type PromptProblem, variableProblems } from './promptProblems';

/** A parsed prompt file, and all its problems except those of its models, in file order. */
export interface PromptReading {
  readonly prompt: Prompt;
  readonly problems: readonly PromptProblem[];
}

/** Parses a prompt file, as far as possible if it is broken. Never throws. `own`: the bounds of the service it is for. */
export function readPrompt(file: string, own: OwnBounds = vendorRules.bounds): PromptReading {
  const whole = { start: 0, end: Math.min(file.length, 1) };
  if (file.length > mostPromptCharacters) return { prompt: empty, problems: [{ code: 'file.too-large', span: whole }] };
  const [mark] = conflictMarks(file);
  if (mark) return { prompt: empty, problems: [{ code: 'file.conflict', span: mark }] };
  const problems: PromptProblem[] = [];
  const { yaml, isClosed, text: start } = splitPrompt(file);
  if (!isClosed) problems.push({ code: 'front-matter.not-closed', span: lineAt(file, 0) });
  if (yaml && yaml.end - yaml.start > mostFrontMatterCharacters) {
    return { prompt: empty, problems: [{ code: 'file.too-large', span: lineAt(file, yaml.start) }] };
  }
  const { filled, ...front } = readFrontMatter(file.slice(yaml?.start ?? 0, yaml?.end ?? 0), yaml?.start ?? 0, {
    problems,
    own,
  });
  const text = file
    .slice(start)
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  if (text === '' && isClosed) problems.push({ code: 'text.empty', span: endOf(file) });
  const places = [...filled, { start, end: file.length }].flatMap((span) => placesIn(file, span));
  const prompt = { ...front, text, places };
  const all = [...problems, ...variableProblems(prompt)];
  return { prompt, problems: all.toSorted((a, b) => a.span.start - b.span.start) };
}

const empty: Prompt = { models: [], parameters: {}, system: '', variables: [], text: '', places: [] };

interface FrontMatter extends Omit<Prompt, 'text' | 'places'> {
  /** The ranges in which to look for placeholders. */
  readonly filled: readonly Span[];
}

function readFrontMatter(
  yaml: string,
  offset: number,
  { problems, own }: { readonly problems: PromptProblem[]; readonly own: OwnBounds },
): FrontMatter {
  const add = (problem: PromptProblem) => void problems.push(problem);
  const reader = new YamlReader(yaml, offset, add);
  const entries = reader.entries(reader.top, '', 'front-matter.not-mapping');
  for (const { name, span } of entries) {
    if (promptKeys.some((key) => key === name)) continue;
    if (promptParameters.some((parameter) => parameter === name)) add({ code: 'key.misplaced', span, name });
    else add({ code: 'key.unknown', span, name, suggestions: nearestIds(name, promptKeys) });
  }
  const valueOf = (key: (typeof promptKeys)[number]) => entries.find(({ name }) => name === key)?.value;
  const textAt = (key: 'description' | 'model' | 'system') => {
    const value = valueOf(key);
    const text = value && reader.text(value, key);
    return value && text !== undefined && text.trim() !== '' ? { text, span: value.span } : undefined;
  };
  const [description, model, system] = [textAt('description'), textAt('model'), textAt('system')];
  const models = valueOf('models');
  const rawParameters = valueOf('parameters');
  const parameters = rawParameters ? reader.entries(rawParameters, 'parameters') : [];
  const prefill = parameters.find(({ name }) => name === 'prefill');
  const variables = valueOf('variables');
  return {
    ...(description && { description: description.text }),
    ...(model && { model: { id: model.text.trim(), span: model.span } }),
    models: models ? distinct(reader.texts(models, 'models').map(({ text, span }) => ({ id: text.trim(), span }))) : [],
    parameters: readParameters(parameters, { reader, model: model?.text.trim(), own, add }),
    system: system?.text ?? '',
    filled: [system?.span, prefill?.value.span].filter((span) => span !== undefined),
    variables: variables ? readVariables(variables, reader, add) : [],
  };
}

function distinct(models: readonly PromptModel[]): readonly PromptModel[] {
  const known = new Set(['']);
  return models.filter(({ id }) => known.size < known.add(id).size);
}

function readParameters(entries: readonly YamlEntry[], reading: ParameterReading): Prompt['parameters'] {
  const { add } = reading;
  return Object.fromEntries(
    entries.flatMap(({ name, span, value }) => {
      const known = promptParameters.find((parameter) => parameter === name);
      if (known) {
        const read = readParameter(known, value, reading);
        return read === undefined ? [] : [[known, read]];
      }
      const isKey = name === 'system' || name === 'model';
      if (isKey) add({ code: 'key.misplaced', span, name });
      else add({ code: 'key.unknown', span, name, suggestions: nearestIds(name, promptParameters) });
      return [];
    }),
  );
}

function placesIn(file: string, { start, end }: Span): Prompt['places'] {
  const found = [...findPlaceholders(file.slice(start, end))].filter(({ isEscaped }) => !isEscaped);
  return found.map((place) => ({ name: place.name, span: { start: start + place.start, end: start + place.end } }));
}

/** Returns the range of the line at an offset. */
function lineAt(file: string, offset: number): Span {
  const end = file.indexOf('\n', offset);
  return { start: offset, end: end < 0 ? file.length : Math.max(end, offset) };
}

/** Returns the last line, where the text should be written. */
function endOf(file: string): Span {
  return { start: Math.max(0, file.trimEnd().lastIndexOf('\n') + 1), end: file.trimEnd().length };
}

interface ParameterReading {
  readonly reader: YamlReader;
  /** The model that the prompt names. */
  readonly model: string | undefined;
  readonly own: OwnBounds;
  readonly add: (problem: PromptProblem) => void;
}

/** Returns the value of a parameter; `undefined` if there is none, or if it must not be sent, which is reported to `add`. */
function readParameter(
  name: PromptParameter,
  value: YamlValue,
  { reader, model, own, add }: ParameterReading,
): number | boolean | string | readonly string[] | undefined {
  if (name === 'enable_thinking') return reader.flag(value, name);
  if (name === 'prefill') return reader.text(value, name);
  if (name === 'stop_sequences') {
    const sequences = reader.texts(value, name).map(({ text }) => text);
    return sequences.length > 0 ? sequences : undefined;
  }
  const number = reader.number(value, name);
  if (number === undefined) return undefined;
  const [issue] = boundIssues<ChatParameters>({ [name]: number }, chatBounds);
  if (issue) {
    add({ code: 'parameter.out-of-bounds', span: value.span, name, issue });
    return undefined;
  }
  const request: ChatParameters & { readonly model?: string } = {
    ...(model !== undefined && { model }),
    [name]: number,
  };
  for (const warning of warningsOf(request, withOwn(chatBounds, own.chat))) {
    add({ code: 'parameter.unusual', span: value.span, name, issue: warning });
  }
  return number;
}

/**
 * Reads the variables of a prompt file: `name: value`, `name:` for one to ask for, `name: [one, two]` for one with options, or a
 * mapping of description, default and options.
 */
function readVariables(
  value: YamlValue,
  reader: YamlReader,
  add: (problem: PromptProblem) => void,
): readonly PromptVariable[] {
  return reader.entries(value, 'variables').flatMap((entry) => {
    const { name, span } = entry;
    if (name.trim() === '' || name !== name.trim() || /[{}]/.test(name)) {
      add({ code: 'variable.bad-name', span, name });
      return [];
    }
    return [{ name, span, ...readVariable(entry, reader, add) }];
  });
}

function readVariable(
  { name, value }: YamlEntry,
  reader: YamlReader,
  add: (problem: PromptProblem) => void,
): Omit<PromptVariable, 'name' | 'span'> {
  if (reader.isList(value)) return { options: optionsOf(value, name, reader) };
  if (!reader.isMapping(value)) {
    const text = reader.text(value, name);
    return { options: [], ...(text !== undefined && { default: text }) };
  }
  const entries = reader.entries(value, name);
  for (const entry of entries) {
    if (variableKeys.some((key) => key === entry.name)) continue;
    add({ code: 'key.unknown', span: entry.span, name: entry.name, suggestions: nearestIds(entry.name, variableKeys) });
  }
  const valueOf = (key: (typeof variableKeys)[number]) => entries.find((entry) => entry.name === key)?.value;
  const textAt = (key: 'description' | 'default') => {
    const found = valueOf(key);
    return found && reader.text(found, key);
  };
  const [description, usual, listed] = [textAt('description'), textAt('default'), valueOf('options')];
  const options = listed ? optionsOf(listed, 'options', reader) : [];
  const place = valueOf('default');
  if (place && usual !== undefined && options.length > 0 && !options.includes(usual)) {
    const suggestions = nearestIds(usual, options);
    add({ code: 'variable.default-not-option', span: place.span, name, suggestions });
  }
  return {
    options,
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
  };
}

function optionsOf(value: YamlValue, name: string, reader: YamlReader): readonly string[] {
  return [...new Set(reader.texts(value, name).map(({ text }) => text))];
}

/** A value and its position, in offsets of the file. `node` is `null` if nothing is written. */
interface YamlValue {
  readonly node: Node | null;
  readonly span: Span;
}

interface YamlEntry {
  readonly name: string;
  /** Range of the name. */
  readonly span: Span;
  readonly value: YamlValue;
}

/** More errors say nothing that these do not. */
const mostErrors = 100;

/** Returns an error for each key that its mapping already has, in the parser's own words. */
function repeatedKeys({ contents }: Document): readonly { message: string; pos: readonly [number, number] }[] {
  const found: { message: string; pos: readonly [number, number] }[] = [];
  // Grows while it is read. The parser's own `visit` copies the path to each node, which is quadratic in nested lists.
  const nodes: unknown[] = [contents];
  for (const node of nodes) {
    if (isSeq(node)) for (const item of node.items) nodes.push(item);
    if (!isMap(node)) continue;
    const known = new Set<unknown>();
    for (const { key, value } of node.items) {
      nodes.push(key, value);
      if (!isScalar(key)) continue;
      const start = key.range?.[0] ?? 0;
      if (known.has(key.value)) found.push({ message: 'Map keys must be unique', pos: [start, start + 1] });
      known.add(key.value);
    }
  }
  return found;
}

/** Reads YAML whose first character is at `offset` in the file. Reports problems to `add`. */
class YamlReader {
  private readonly document: Document;

  constructor(
    private readonly yaml: string,
    private readonly offset: number,
    private readonly add: (problem: PromptProblem) => void,
  ) {
    // Numbers retain their spelling, and mappings their non-string keys: each value is read as the type that the caller requests.
    this.document = parseYaml(yaml);
    const errors = [
      ...this.document.errors.map(({ message, pos }) => ({ message, pos })),
      ...repeatedKeys(this.document),
    ];
    const shown = errors.slice(0, mostErrors);
    const [next, more] = [errors[mostErrors], errors.length - mostErrors];
    if (next) shown.push({ ...next, message: `${next.message} (${more} errors from here on)` });
    for (const { message, pos } of shown) {
      const [start, end] = pos;
      // For a duplicate key, the parser marks only one character.
      const word = /^[\w-]*/.exec(yaml.slice(start))?.[0] ?? '';
      const span = this.visible(start, Math.max(end, start + word.length));
      add({ code: 'yaml.invalid', span, detail: message });
    }
  }

  get top(): YamlValue {
    return this.valueOf(this.document.contents, { start: this.offset, end: this.offset });
  }

  /** Returns the entries of a mapping; reports a problem and returns none for anything else. */
  entries(
    { node, span }: YamlValue,
    name: string,
    ifOther: 'front-matter.not-mapping' | 'value.wrong-type' = 'value.wrong-type',
  ): readonly YamlEntry[] {
    if (node === null) return [];
    if (!isMap(node)) {
      this.add({ code: ifOther, span, name, expected: 'mapping' });
      return [];
    }
    return (node as YAMLMap<unknown, Node | null>).items.flatMap(({ key, value }) => {
      if (!isScalar(key)) return [];
      const at = this.spanOf(key) ?? span;
      return [{ name: key.source ?? '', span: at, value: this.valueOf(value, at) }];
    });
  }

  isMapping({ node }: YamlValue): boolean {
    return isMap(node);
  }

  isList({ node }: YamlValue): boolean {
    return isSeq(node);
  }

  /**
   * `undefined` if nothing is written; for a value that is not a scalar, also reports a problem. Numbers and the like are returned
   * as written.
   */
  text({ node, span }: YamlValue, name: string): string | undefined {
    if (node === null) return undefined;
    if (isScalar(node)) return node.value === null ? undefined : node.source;
    this.add({ code: 'value.wrong-type', span, name, expected: 'text' });
    return undefined;
  }

  number({ node, span }: YamlValue, name: string): number | undefined {
    if (node === null || (isScalar(node) && node.value === null)) return undefined;
    if (isScalar(node) && typeof node.value === 'number') return node.value;
    this.add({ code: 'value.wrong-type', span, name, expected: 'number' });
    return undefined;
  }

  flag({ node, span }: YamlValue, name: string): boolean | undefined {
    if (node === null || (isScalar(node) && node.value === null)) return undefined;
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    this.add({ code: 'value.wrong-type', span, name, expected: 'true or false' });
    return undefined;
  }

  texts({ node, span }: YamlValue, name: string): readonly (YamlValue & { readonly text: string })[] {
    if (node === null || (isScalar(node) && node.value === null)) return [];
    if (!isSeq(node)) {
      this.add({ code: 'value.wrong-type', span, name, expected: 'list of texts' });
      return [];
    }
    return (node.items as readonly (Node | null)[]).flatMap((item) => {
      const value = this.valueOf(item, span);
      const text = this.text(value, name);
      return text === undefined ? [] : [{ ...value, text }];
    });
  }

  private valueOf(node: unknown, otherwise: Span): YamlValue {
    const found = isAlias(node) ? (node.resolve(this.document) ?? null) : node;
    return { node: (found as Node | null | undefined) ?? null, span: this.spanOf(node) ?? otherwise };
  }

  private spanOf(node: unknown): Span | undefined {
    const { range } = (node ?? {}) as { readonly range?: readonly [number, number, number] | null };
    if (!range || range[0] === range[1]) return undefined;
    return this.visible(range[0], range[1]);
  }

  /** Cuts trailing white space; if nothing remains, returns the last visible character before it. */
  private visible(start: number, end: number): Span {
    const from = Math.min(start, this.yaml.length);
    const length = this.yaml.slice(from, end).trimEnd().length;
    const last = length > 0 ? from : this.yaml.slice(0, from).trimEnd().length;
    const [shownStart, shownEnd] = length > 0 ? [from, from + length] : [Math.max(0, last - 1), last];
    return { start: this.offset + shownStart, end: this.offset + shownEnd };
  }
}
