import { type Source, closing, indentOf } from './source';

export interface Parameter {
  readonly name: string;
  readonly type: string;
  /** Its default value; empty if there is none. */
  readonly fallback: string;
}

export interface Definition {
  readonly kind: 'function' | 'class' | 'type';
  readonly name: string;
  /** The enclosing class; empty if there is none. */
  readonly owner: string;
  /** As written, brackets included; empty if it cannot be called. */
  readonly signature: string;
  /** Without `self` and `cls`. */
  readonly parameters: readonly Parameter[];
  /** Its declared return type; empty if there is none. */
  readonly returns: string;
  readonly isAsync: boolean;
  /** First sentence of its docstring or comment; empty if there is none. */
  readonly doc: string;
  /** Line indices in the source: its head, the first line below the head, its last line. */
  readonly at: number;
  readonly bodyAt: number;
  readonly endAt: number;
}

/** Splits at commas outside of brackets, which are looked for in `bare`. */
function partsOf(raw: string, bare: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < bare.length; at += 1) {
    const letter = bare[at] ?? '';
    if ('([{<'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter) || (letter === '>' && bare[at - 1] !== '=')) depth -= 1;
    else if (letter === ',' && depth === 0) {
      parts.push(raw.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, raw.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}

function parametersOf(raw: string, bare: string): readonly Parameter[] {
  return partsOf(raw, bare)
    .map((part) => {
      const [, name = part, type = '', fallback = ''] =
        /^((?:\.\.\.|\*{1,2})?[\w$]+)\??\s*(?::\s*((?:[^=]|=>)+?))?\s*(?:=(?!>)\s*([\s\S]+))?$/.exec(
          part.replace(/^(?:public|private|protected|readonly)\s+/, ''),
        ) ?? [];
      return { name, type: type.trim(), fallback: fallback.trim() };
    })
    .filter(({ name }) => !['self', 'cls', '*', '/', 'this'].includes(name));
}

const firstSentence = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return /^.*?[.!?。](?=\s|$)/.exec(line)?.[0] ?? line;
};

function pythonDefinitions({ lines, bare }: Source): readonly Definition[] {
  const found: Definition[] = [];
  for (const [at, line] of bare.entries()) {
    const [, indent = '', isAsync, word, name] = /^(\s*)(async\s+)?(def|class)\s+(\w+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const rest = bare.slice(at).join('\n');
    const open = rest.indexOf('(');
    const hasList = open >= 0 && /^\s*(?:async\s+)?\w+\s+\w+\s*\($/.test(rest.slice(0, open + 1));
    const close = hasList ? closing(rest, open) : -1;
    const headLines = close < 0 ? 1 : rest.slice(0, close).split('\n').length;
    const raw = lines.slice(at).join('\n');
    const after = close < 0 ? '' : (rest.slice(close + 1).split('\n')[0] ?? '');
    const isInline = /:\s*\S/.test(close < 0 ? '' : after.replace(/->[^:]*/, ''));
    const bodyAt = isInline ? at : at + headLines;
    let endAt = bodyAt - (isInline ? 0 : 1);
    for (let next = at + headLines; next < lines.length; next += 1) {
      if ((lines[next] ?? '').trim() === '') continue;
      if (indentOf(lines[next] ?? '') <= indentOf(indent)) break;
      endAt = next;
    }
    const doc = /^\s*[rR]?("""|''')([\s\S]*?)\1/.exec(lines.slice(bodyAt).join('\n'))?.[2] ?? '';
    const owner = found.findLast(
      (other) => other.kind === 'class' && other.endAt >= at && indentOf(lines[other.at] ?? '') < indentOf(indent),
    );
    found.push({
      kind: word === 'class' ? 'class' : 'function',
      name,
      owner: word === 'class' ? '' : (owner?.name ?? ''),
      signature: close < 0 ? '' : raw.slice(open, close + 1),
      parameters:
        word === 'class' || close < 0 ? [] : parametersOf(raw.slice(open + 1, close), rest.slice(open + 1, close)),
      returns: /->\s*([^:]+(?:\[[^\]]*\])?)\s*:/.exec(after)?.[1]?.trim() ?? '',
      isAsync: isAsync !== undefined,
      doc: firstSentence(doc),
      at,
      bodyAt,
      endAt,
    });
  }
  return found;
}

const scriptHead =
  /\b(async\s+)?function\s*\*?\s*(\w+)\s*(?=[<(])|\b(?:const|let|var)\s+(\w+)\s*(?::[^=\n]+)?=\s*(async\s+)?(?:function\b\s*\*?\s*\w*\s*)?(?=[(<]|\w+\s*=>)|\b(class|interface|enum|type)\s+(\w+)(?=[\s<={])|^[ \t]+(?:(?:public|private|protected|static|override|async|get|set)\s+)*([\w$]+)\s*(?=\()/gm;
const notMethods = new Set(['if', 'for', 'while', 'switch', 'catch', 'function', 'return', 'super', 'await', 'typeof']);

function docAbove(lines: readonly string[], at: number): string {
  if (!/(?:\*\/|^\s*\/\/.*)\s*$/.test(lines[at - 1] ?? '')) return '';
  const above = lines.slice(0, at).join('\n');
  const block =
    /\/\*\*?((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(above)?.[1] ?? /((?:^\s*\/\/.*\n?)+)$/m.exec(above)?.[1] ?? '';
  return firstSentence(block.replace(/^\s*(?:\*|\/\/)/gm, ' ').replace(/@\w+[\s\S]*$/, ''));
}

function scriptDefinitions({ lines, bare }: Source): readonly Definition[] {
  const [raw, text] = [lines.join('\n'), bare.join('\n')];
  const lineOf = (position: number) => text.slice(0, position).split('\n').length - 1;
  const found: Definition[] = [];
  for (const match of text.matchAll(scriptHead)) {
    const [whole, asyncFunction, named, assigned, asyncArrow, word, typed, method] = match;
    const name = named ?? assigned ?? typed ?? method ?? '';
    const start = match.index + (whole.length - whole.trimStart().length);
    const at = lineOf(start);
    const owner = found.findLast((other) => other.kind === 'class' && other.at < at && other.endAt >= at);
    if (method !== undefined && (owner === undefined || notMethods.has(method))) continue;
    const after = match.index + whole.length;
    const base = { name, at, owner: method === undefined ? '' : (owner?.name ?? ''), doc: docAbove(lines, at) };
    if (word !== undefined) {
      const brace = text.indexOf('{', after);
      const line = text.indexOf(';', after);
      const isShort = word === 'type' && line >= 0 && (brace < 0 || line < brace);
      const end = isShort ? line : brace < 0 ? text.length - 1 : Math.max(closing(text, brace), after);
      found.push({
        ...base,
        kind: word === 'class' ? 'class' : 'type',
        signature: '',
        parameters: [],
        returns: '',
        isAsync: false,
        bodyAt: at + 1,
        endAt: lineOf(end),
      });
      continue;
    }
    const single = /^(\w+)\s*=>/.exec(text.slice(after))?.[1];
    const open = single === undefined ? text.indexOf('(', after) : after;
    const close = single === undefined ? closing(text, open) : after + single.length - 1;
    const tail = /^\s*(?::\s*((?:[^={;\n]|=(?!>))+?)\s*)?(?:(=>)\s*(\{)?|(\{))/.exec(text.slice(close + 1));
    const isArrow = tail?.[2] !== undefined;
    if (close < 0 || tail === null || (assigned !== undefined && !isArrow && !whole.includes('function'))) continue;
    const hasBody = (tail[3] ?? tail[4]) !== undefined;
    const bodyFrom = close + 1 + tail[0].length;
    const end = !hasBody ? expressionEnd(text, bodyFrom) : closing(text, bodyFrom - 1);
    found.push({
      ...base,
      kind: 'function',
      signature: single === undefined ? raw.slice(open, close + 1) : `(${single})`,
      parameters:
        single === undefined
          ? parametersOf(raw.slice(open + 1, close), text.slice(open + 1, close))
          : [{ name: single, type: '', fallback: '' }],
      returns: tail[1]?.trim() ?? '',
      isAsync: (asyncFunction ?? asyncArrow) !== undefined || /\basync\b/.test(whole),
      bodyAt: !hasBody ? at : lineOf(bodyFrom) + 1,
      endAt: end < 0 ? lines.length - 1 : lineOf(end),
    });
  }
  return found;
}

function expressionEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    if (depth < 0 || (depth === 0 && letter === ';')) return at;
    if (depth === 0 && letter === '\n' && !/^\s*[.?:&|+]/.test(text.slice(at + 1))) return at - 1;
  }
  return text.length - 1;
}

const otherHead =
  /^(\s*)(?:pub(?:\([^)]*\))?\s+|export\s+|public\s+|private\s+|static\s+|async\s+)*(?:fn|func|function|def|class|struct|interface|enum|trait|impl|type|module)\s+(?:\([^)]*\)\s*)?(\w+)/;

/** Returns what a source defines, in source order. */
export function definitionsOf(source: Source): readonly Definition[] {
  if (source.family === 'python') return pythonDefinitions(source);
  if (source.family === 'script') return scriptDefinitions(source);
  return source.bare.flatMap((line, at) => {
    const name = source.family === 'other' ? otherHead.exec(line)?.[2] : undefined;
    const more = { owner: '', signature: '', parameters: [], returns: '', isAsync: false, doc: '' };
    return name === undefined ? [] : [{ ...more, kind: 'type' as const, name, at, bodyAt: at + 1, endAt: at }];
  });
}

/** Returns the modules a source imports, as it names them. */
export function importsOf({ family, lines, bare }: Source): readonly string[] {
  if (family === 'python')
    return bare.flatMap((line) => {
      const [, from, plain] = /^\s*(?:from\s+([\w.]+)\s+import\b|import\s+([\w.,\s]+))/.exec(line) ?? [];
      return from === undefined ? (plain?.split(',').map((part) => part.trim().split(' ')[0] ?? '') ?? []) : [from];
    });
  if (family !== 'script') return [];
  return lines.flatMap(
    (line) => /^\s*(?:import\b.*?|\} from\s+|.*=\s*require\()["']([^"']+)["']/.exec(line)?.[1] ?? [],
  );
}

export const callName = ({ name, owner }: Definition): string => (owner === '' ? name : `${owner}.${name}`);
export const headOf = (definition: Definition, isPython: boolean): string => {
  const signature = definition.signature
    .replace(/\s+/g, ' ')
    .replace(/\(\s+/g, '(')
    .replace(/,?\s+\)/g, ')');
  const returns = definition.returns === '' ? '' : `${isPython ? ' ->' : ':'} ${definition.returns}`;
  return callName(definition) + signature + returns;
};
