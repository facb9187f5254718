import * as l10n from '@vscode/l10n';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, Document } from 'yaml';
import type { Span } from '../../batch/problem';
import { parseYaml } from '../../text/parseYaml';

/** Where a value is. */
export interface Place {
  readonly path: string;
  readonly span: Span;
}

/** A value of a YAML or JSON file with its location. Keys are stored in a map, so that no name has a special meaning. */
export interface ConfigNode extends Place {
  /** Text, number, boolean, or null; `undefined` for a mapping or list. */
  readonly scalar: string | number | boolean | null | undefined;
  readonly entries: ReadonlyMap<string, ConfigNode> | undefined;
  readonly items: readonly ConfigNode[] | undefined;
}

interface TreeProblem {
  readonly message: string;
  readonly span: Span;
  readonly isError: boolean;
}

export interface ConfigTree {
  readonly root: ConfigNode | undefined;
  readonly problems: readonly TreeProblem[];
}

/** An alias repeats all that it names: nine levels of nine would be 400 million values. */
const mostValues = 2_000_000;
const mostAliasValues = 100_000;
const deepest = 200;
const mostProblems = 100;

class TooLarge extends Error {}

/** Reads YAML, of which JSON is a part. Never throws; aliases and nesting are bounded, and tags construct nothing. */
export function readTree(text: string): ConfigTree {
  const problems: TreeProblem[] = [];
  const add = (message: string, span: Span, isError = true) => {
    if (problems.length < mostProblems) problems.push({ message, span, isError });
  };
  const start = { start: 0, end: Math.min(1, text.length) };
  try {
    const document = parseYaml(text);
    for (const { code, message, pos } of document.errors) {
      if (code === 'RESOURCE_EXHAUSTION') throw new TooLarge();
      add(message, { start: pos[0], end: Math.max(pos[1], pos[0] + 1) });
    }
    for (const { message, pos } of document.warnings)
      add(message, { start: pos[0], end: Math.max(pos[1], pos[0] + 1) }, false);
    const root = new Builder(document, add).build(document.contents, '', start, 0);
    return { root: root.scalar === null ? undefined : root, problems };
  } catch (error) {
    if (!(error instanceof TooLarge) && !(error instanceof RangeError)) throw error;
    add(l10n.t('The file is nested too deeply or its aliases repeat too many values.'), start);
    return { root: undefined, problems };
  }
}

class Builder {
  private values = 0;
  private aliasValues = 0;
  /** Looking for the node of an alias takes a walk through the document. */
  private readonly targets = new Map<Alias, unknown>();

  constructor(
    private readonly document: Document,
    private readonly add: (message: string, span: Span) => void,
  ) {}

  build(node: unknown, path: string, otherwise: Span, depth: number, inAlias = false): ConfigNode {
    if (++this.values > mostValues || depth > deepest || (inAlias && ++this.aliasValues > mostAliasValues))
      throw new TooLarge();
    const span = spanOf(node) ?? otherwise;
    const base = { path, span, scalar: undefined, entries: undefined, items: undefined };
    if (isAlias(node)) {
      if (!this.targets.has(node)) this.targets.set(node, node.resolve(this.document));
      const target = this.targets.get(node);
      if (target === undefined) return { ...base, scalar: null };
      return { ...this.build(target, path, span, depth + 1, true), span };
    }
    if (isMap(node)) return { ...base, entries: this.entriesOf(node.items, base, depth, inAlias) };
    if (isSeq(node))
      return {
        ...base,
        items: node.items.map((item, index) => this.build(item, `${path}[${index}]`, span, depth + 1, inAlias)),
      };
    if (!isScalar(node)) return { ...base, scalar: null };
    const { value } = node;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { ...base, scalar: value === null || isPlain ? value : (node.source ?? '') };
  }

  private entriesOf(
    pairs: readonly { readonly key: unknown; readonly value: unknown }[],
    { path, span }: ConfigNode,
    depth: number,
    inAlias: boolean,
  ): ReadonlyMap<string, ConfigNode> {
    const entries = new Map<string, ConfigNode>();
    const merged: ConfigNode[] = [];
    for (const { key, value } of pairs) {
      const at = spanOf(key) ?? span;
      const name = isScalar(key) ? String(key.value) : undefined;
      if (name === undefined) {
        this.add(l10n.t('Expected a name.'), at);
        continue;
      }
      const child = this.build(value, path === '' ? name : `${path}.${name}`, at, depth + 1, inAlias);
      if (name === '<<') for (const one of child.items ?? [child]) merged.push(one);
      else if (entries.has(name)) this.add(l10n.t('Duplicate key "{0}". Remove one of the entries.', name), at);
      else entries.set(name, child);
    }
    for (const { entries: others } of merged)
      for (const [name, child] of others ?? []) if (!entries.has(name)) entries.set(name, child);
    return entries;
  }
}

function spanOf(node: unknown): Span | undefined {
  const { range } = (node ?? {}) as { readonly range?: readonly [number, number, number] | null };
  return range && range[1] > range[0] ? { start: range[0], end: range[1] } : undefined;
}

/** The value of a node as plain JSON. Own members only, whatever their names are. */
export function valueOf({ scalar, entries, items }: ConfigNode): unknown {
  if (entries) return Object.fromEntries(Array.from(entries, ([name, child]) => [name, valueOf(child)]));
  return items ? items.map(valueOf) : scalar;
}

/** The text of a scalar; numbers and booleans as they are usually written. `undefined` for anything else. */
export function textOf(node: ConfigNode | undefined): string | undefined {
  const scalar = node?.scalar;
  return scalar === undefined || scalar === null ? undefined : String(scalar);
}

export function numberOf(node: ConfigNode | undefined): number | undefined {
  const value = typeof node?.scalar === 'string' && node.scalar.trim() !== '' ? Number(node.scalar) : node?.scalar;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns a node of another file, with the location where that file is named. */
export function placedAt(node: ConfigNode, { path, span }: Place): ConfigNode {
  return {
    ...node,
    path,
    span,
    scalar: node.scalar,
    entries:
      node.entries && new Map(Array.from(node.entries, ([name, child]) => [name, placedAt(child, { path, span })])),
    items: node.items?.map((child) => placedAt(child, { path, span })),
  };
}

/** The items of a list; a single value stands for a list of one. */
export function itemsOf(node: ConfigNode | undefined): readonly ConfigNode[] {
  if (!node || (node.scalar === null && !node.items && !node.entries)) return [];
  return node.items ?? [node];
}
