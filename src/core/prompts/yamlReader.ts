import { isAlias, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Document, Node, YAMLMap } from 'yaml';
import type { Span } from '../batch/problem';
import type { PromptProblem } from './promptProblems';

/** A value and its position, in offsets of the file. `node` is `null` if nothing is written. */
export interface YamlValue {
  readonly node: Node | null;
  readonly span: Span;
}

export interface YamlEntry {
  readonly name: string;
  /** Range of the name. */
  readonly span: Span;
  readonly value: YamlValue;
}

/** More errors say nothing that these do not. */
const mostErrors = 100;

/** Returns an error for each key that its mapping already has, in the parser's own words. */
function repeatedKeys(document: Document): readonly { message: string; pos: readonly [number, number] }[] {
  const found: { message: string; pos: readonly [number, number] }[] = [];
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const start = key.range?.[0] ?? 0;
        if (known.has(key.value)) found.push({ message: 'Map keys must be unique', pos: [start, start + 1] });
        known.add(key.value);
      }
    },
  });
  return found;
}

/** Reads YAML whose first character is at `offset` in the file. Reports problems to `add`. */
export class YamlReader {
  private readonly document: Document;

  constructor(
    private readonly yaml: string,
    private readonly offset: number,
    private readonly add: (problem: PromptProblem) => void,
  ) {
    // Numbers retain their spelling, and mappings their non-string keys: each value is read as the type that the caller requests.
    // The parser compares each key with each other one, so repeated ones are looked for here.
    const options = { prettyErrors: false, version: '1.2', logLevel: 'silent', uniqueKeys: false } as const;
    this.document = parseDocument(yaml, options);
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
