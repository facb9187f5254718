import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { parseSync, Visitor, type Expression } from 'oxc-parser';
import { root } from './places.ts';

/** One small change of the product that a test should detect. */
export interface Mutant {
  /** Counted from 1, in the order of files and positions. */
  readonly id: number;
  /** Relative to the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** The range of the changed expression in its file. */
  readonly start: number;
  readonly end: number;
  /** The parts of the replacement: new text, and ranges of the file. */
  readonly pieces: readonly (string | Span)[];
}

type Span = readonly [start: number, end: number];
type Found = Omit<Mutant, 'id' | 'file'>;
type Place = Pick<Expression, 'start' | 'end'>;

/** Paths that decide about money, keys, files, and sent data. Their mutants are selected four times as often. */
const weighty =
  /spending|budget|usage|price|secret|key|profile|signIn|origin|redact|upload|download|multipart|files|privateStorage|batch|submit|fetchResults|transport|client|send|trust|notify|escape/i;
const mostOfFile = 6;
/** There are many mutants of keys, and most are detected. */
const keyWeight = 0.15;

const opposites: Readonly<Record<string, readonly [mutator: string, operator: string]>> = {
  '<': ['bound', '<='],
  '<=': ['bound', '<'],
  '>': ['bound', '>='],
  '>=': ['bound', '>'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '-': ['arithmetic', '+'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
};

/**
 * Returns `count` of the product's mutants below the given paths (all if empty), at most a few per file. The same seed selects the same
 * mutants, except in changed lines.
 */
export function drawMutants(paths: readonly string[], seed: number, count: number): Mutant[] {
  const files = globSync(['src/**/*.{ts,tsx}', 'webview/**/*.{ts,tsx}'], { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.d\.ts$|\/assembly\/|Worker\.ts$/.test(file))
    .filter((file) => paths.length === 0 || paths.some((start) => file.startsWith(start.replace(/^\.\//, ''))))
    .toSorted();
  const same = new Map<string, number>();
  const drawn = files
    .flatMap((file) => mutantsOf(readFileSync(path.join(root, file), 'utf8'), file))
    .map((mutant) => {
      const name = [seed, mutant.file, mutant.mutator, mutant.original].join('\0');
      same.set(name, (same.get(name) ?? 0) + 1);
      const weight = (weighty.test(mutant.file) ? 4 : 1) * (mutant.mutator === 'key' ? keyWeight : 1);
      return { mutant, lot: lotOf(`${name}\0${same.get(name)}`) ** (1 / weight) };
    })
    .toSorted((a, b) => b.lot - a.lot);
  const taken = new Map<string, number>();
  const sample = drawn.filter(({ mutant: { file } }) => {
    taken.set(file, (taken.get(file) ?? 0) + 1);
    return taken.get(file)! <= mostOfFile;
  });
  return sample
    .slice(0, count)
    .map(({ mutant }) => mutant)
    .toSorted((a, b) => (a.file === b.file ? outerFirst(a, b) : a.file < b.file ? -1 : 1))
    .map((mutant, index) => ({ ...mutant, id: index + 1 }));
}

/** Returns a number from 0 to below 1, always the same for a name. */
const lotOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;

const outerFirst = (a: Found, b: Found): number =>
  a.start - b.start || b.end - a.end || (a.mutator < b.mutator ? -1 : a.mutator > b.mutator ? 1 : 0);

/** Returns the mutants in code that runs when a function is called. Other code runs once when the file is loaded, before a mutant is on. */
function mutantsOf(source: string, file: string): Omit<Mutant, 'id'>[] {
  const found: Found[] = [];
  const bodies: Span[] = [];
  const left: Span[] = [];
  const span = ({ start, end }: Place): Span => [start, end];
  const leave = (place: Place): void => void left.push(span(place));
  const add = (mutator: string, { start, end }: Place, ...pieces: readonly (string | Span)[]): void => {
    const before = source.slice(0, start);
    const column = start - before.lastIndexOf('\n');
    const replacement = pieces.map((piece) => (typeof piece === 'string' ? piece : source.slice(...piece))).join('');
    const original = source.slice(start, end);
    found.push({ line: before.split('\n').length, column, mutator, original, replacement, start, end, pieces });
  };
  const negate = ({ test }: { readonly test: Expression | null }): void => {
    const isOther = test?.type === 'BinaryExpression' && opposites[test.operator]?.[0] === 'equality';
    if (test && !isOther) add('condition', test, '!(', span(test), ')');
  };
  const swap = (node: Place & { readonly left: Place; readonly right: Place; readonly operator: string }): void => {
    const [mutator, operator] = opposites[node.operator] ?? [];
    if (mutator) add(mutator, node, '(', span(node.left), `) ${operator} (`, span(node.right), ')');
  };
  const body = (node: { readonly body: Place | null }): void => void (node.body && bodies.push(span(node.body)));
  const visitor = new Visitor({
    FunctionDeclaration: body,
    FunctionExpression: body,
    ArrowFunctionExpression: body,
    TSTypeAnnotation: leave,
    TSTypeAliasDeclaration: leave,
    TSInterfaceDeclaration: leave,
    TSTypeParameterInstantiation: leave,
    TSTypeParameterDeclaration: leave,
    TSAsExpression: ({ typeAnnotation }) => leave(typeAnnotation),
    TSSatisfiesExpression: ({ typeAnnotation }) => leave(typeAnnotation),
    IfStatement: negate,
    ConditionalExpression: negate,
    WhileStatement: negate,
    DoWhileStatement: negate,
    ForStatement: negate,
    LogicalExpression: (node) => {
      if (node.operator === '??') add('fallback', node, span(node.left));
      else swap(node);
    },
    BinaryExpression: (node) => {
      if (node.operator !== '+') return swap(node);
      if (isNumber(node.left) || isNumber(node.right))
        add('arithmetic', node, span(node.left), ' - (', span(node.right), ')');
    },
    AssignmentExpression: (node) => {
      const operator = { '+=': '-=', '-=': '+=' }[node.operator as string];
      if (operator === undefined || (operator === '-=' && !isNumber(node.right))) return;
      add('arithmetic', node, span(node.left), ` ${operator} `, span(node.right));
    },
    Literal: (node) => {
      if (typeof node.value === 'boolean') add('boolean', node, String(!node.value));
      if (typeof node.value === 'number') add('number', node, String(node.value + 1));
    },
    AwaitExpression: (node) => add('await', node, span(node.argument)),
    ExpressionStatement: ({ expression }) => {
      const bare = expression.type === 'UnaryExpression' ? expression.argument : expression;
      const call = bare.type === 'AwaitExpression' ? bare.argument : bare;
      if (call.type === 'CallExpression' && !/^(console\.|super\b)/.test(source.slice(call.start, call.end)))
        add('call', expression, 'undefined');
    },
    ReturnStatement: ({ argument }) => {
      if (!argument || argument.type === 'UnaryExpression') return;
      if (argument.type !== 'Identifier' || argument.name !== 'undefined') add('return', argument, 'undefined');
    },
    CallExpression: (node) => {
      if (/\bl10n\.t$/.test(source.slice(node.callee.start, node.callee.end))) leave(node);
    },
    MemberExpression: ({ computed, property }) => {
      if (computed && property.type === 'Literal' && typeof property.value === 'string')
        add('key', property, JSON.stringify(`${property.value}X`));
    },
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type !== 'Property') continue;
        const { key, computed, shorthand, method, kind } = property;
        const isPlain = !computed && !shorthand && !method && kind === 'init';
        const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined;
        if (!isPlain || typeof name !== 'string' || name === '__proto__') {
          if (key.type === 'Literal') leave(key);
        } else add('key', key, `'${name}X'`);
      }
    },
    ObjectPattern: ({ properties }) => {
      for (const property of properties)
        if (property.type === 'Property' && property.key.type === 'Literal') leave(property.key);
    },
    PropertyDefinition: ({ key }) => void (key.type === 'Literal' && leave(key)),
    TSEnumDeclaration: leave,
  });
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  visitor.visit(program);
  const isWithin =
    ({ start, end }: Place) =>
    ([from, to]: Span) =>
      from <= start && end <= to;
  return found
    .filter((one) => bodies.some(isWithin(one)) && !left.some(isWithin(one)))
    .toSorted(outerFirst)
    .map((one) => ({ ...one, file }));
}

/** Plus concatenates text, too. */
function isNumber(node: Expression): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number';
  return (
    node.type === 'MemberExpression' &&
    node.property.type === 'Identifier' &&
    /^(length|size)$/.test(node.property.name)
  );
}

/**
 * Inserts all mutants into the code at once. Each calls `globalThis.__mutant`, if it exists, with its number to find out whether it is on,
 * which also allows recording of what was reached.
 */
export function switchedMutants(mutants: readonly Mutant[]): Plugin {
  return {
    name: 'switchedMutants',
    setup: (plugin) => {
      plugin.onLoad({ filter: /[/\\](src|webview)[/\\].*\.tsx?$/ }, ({ path: file }) => {
        const own = mutants.filter((mutant) => path.join(root, mutant.file) === file);
        if (own.length === 0) return undefined;
        const source = readFileSync(file, 'utf8');
        return { contents: rewrite(source, [0, source.length], own), loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

/** Rewrites a range of a file with the mutants in it. */
function rewrite(source: string, [from, to]: Span, mutants: readonly Mutant[]): string {
  const within = mutants.filter(({ start, end }) => from <= start && end <= to).toSorted(outerFirst);
  let text = '';
  let at = from;
  for (const [index, mutant] of within.entries()) {
    const { id, mutator, start, end, pieces } = mutant;
    if (start < at) continue;
    const inner = within.slice(index + 1);
    const original = rewrite(source, [start, end], inner);
    const changed = pieces.map((piece) => (typeof piece === 'string' ? piece : rewrite(source, piece, inner))).join('');
    const isName = mutator === 'key' && !/^['"]/.test(original);
    const key = isName ? `'${original}'` : original;
    const choice = `(globalThis.__mutant?.(${id}) ? (${changed}) : (${key}))`;
    text += source.slice(at, start) + (mutator === 'key' && source[start - 1] !== '[' ? `[${choice}]` : choice);
    at = end;
  }
  return text + source.slice(at, to);
}
