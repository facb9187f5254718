import { indentOf, isBlank } from './textLines';

/** A statement or definition, with what is indented below it and the comments and decorators above it. */
export interface Unit {
  /** From its first comment or decorator. */
  readonly start: number;
  /** Its first line of code. */
  readonly head: number;
  /** Exclusive, without blank lines at its end. */
  readonly end: number;
}

const closer = /^(?:[}\])]|end\b|fi\b|done\b|esac\b|<\/|-->)/;
/** A line at the indentation of a block that continues it. */
const goesOn =
  /^(?:else\b|elif\b|elsif\b|elseif\b|except\b|catch\b|finally\b|rescue\b|ensure\b|\{|\)|\]|=>|->|&&|\|\|)/;
const leading =
  /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?![a-z]*(?:include|define|if|endif|pragma)\b)|--(?!\w)|@|\[[\w(]|<!--|"""|'''$)/;

/** Splits lines `from` to `to` into the units with the least indentation. Reads each line once. */
export function unitsIn(lines: readonly string[], from = 0, to = lines.length): readonly Unit[] {
  let depth = Infinity;
  for (let at = from; at < to; at++) if (!isBlank(lines[at]!)) depth = Math.min(depth, indentOf(lines[at]!).length);
  const units: { start: number; head: number; end: number }[] = [];
  /** Where the comments and decorators above the next unit begin. */
  let above: number | undefined;
  for (let at = from; at < to; at++) {
    const line = lines[at]!;
    if (isBlank(line)) continue;
    const text = line.trim();
    const last = units.at(-1);
    const isDeeper = indentOf(line).length > depth;
    if (above === undefined && last && (isDeeper || closer.test(text) || goesOn.test(text))) last.end = at + 1;
    else if (isDeeper && above !== undefined) continue;
    else if (leading.test(text) && !isDeeper) above ??= at;
    else {
      units.push({ start: above ?? at, head: at, end: at + 1 });
      above = undefined;
    }
  }
  // Comments at the end belong to nothing, so they form a separate unit.
  if (above !== undefined) {
    let end = to;
    while (end > above && isBlank(lines[end - 1]!)) end--;
    units.push({ start: above, head: above, end });
  }
  return units;
}

/** Returns the unit whose first line of code is this one. */
export function unitFrom(lines: readonly string[], head: number): Unit {
  const depth = indentOf(lines[head]!).length;
  let end = head + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at]!;
    if (isBlank(line)) continue;
    const own = indentOf(line).length;
    const text = line.trim();
    if (own < depth || (own === depth && !closer.test(text) && !goesOn.test(text))) break;
    end = at + 1;
  }
  return { start: head, head, end };
}

const words =
  /^(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|override|readonly|declare|pub(?:\([^)]*\))?|unsafe|extern|inline|virtual|const(?=\s+(?:fn|enum))|open|sealed|data|partial|suspend|local|get|set)\s+)*/;
const declared =
  /^(?:function\*?|def|class|interface|struct|enum|trait|impl(?:<[^>]*>)?|type|fn|fun|func(?:\s*\([^)]*\))?|sub|module|namespace|const|let|var|val|procedure|record|protocol|object|extension|macro_rules!|union|create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index))\s+([\p{L}\w$.`"]+)/iu;
const method = /^(?:[\w<>[\],.?*&:]+\s+)*[*#~]?([\p{L}_$][\p{L}\w$]*)\s*(?:<[^<>()]*>)?\s*\(/u;
const key = /^(?:-\s+)?["']?([\p{L}_$@*.#&:[\]()>~+\-\w\s/]+?)["']?\s*[:={](?!=)/u;
const statement =
  /^(?:if|for|while|switch|return|throw|await|yield|else|elif|try|catch|except|with|match|case|do|print|assert|raise|delete|new|using|lock|foreach|unless|until|when|super|this|self|echo|import|from)\b/;

/** Returns the name that a line defines, such as that of a function, class, constant, or key; `undefined` if it defines none. */
export function definedName(line: string): string | undefined {
  const text = line.trim().slice(0, 200);
  const rest = text.replace(words, '');
  const name = declared.exec(rest)?.[1];
  if (name !== undefined) return name.replaceAll(/[`"]/g, '');
  if (statement.test(rest)) return undefined;
  // A brace can be on the next line, after a type and a name.
  const isBlock =
    /[{:]\s*(?:\/\/.*|#.*)?$/.test(rest) ||
    rest.includes('=>') ||
    /^[\w<>[\],.?*&]+\s+[*&]?\w+\s*\([^;]*\)$/.test(rest);
  if (isBlock && rest.includes('(')) {
    const called = method.exec(rest)?.[1];
    if (called !== undefined) return called;
  }
  return /^#{1,6}\s/.test(text) ? text : key.exec(rest)?.[1]?.trim();
}

const longestHead = 1000;

/** Whether a unit contains definitions, each of which an answer must contain to replace it. */
function isContainer(line: string): boolean {
  // The patterns below read a line several times. One this long, as in minified code, counts as a container to be safe.
  if (line.length > longestHead) return true;
  const text = line.trim().replace(words, '');
  if (
    /^(?:class|interface|struct|enum|impl|trait|namespace|module|object|extension|record|protocol|union|type|describe|create)\b/i.test(
      text,
    )
  )
    return true;
  if (/=>\s*\{?$|\)\s*(?::[^{]*)?\{$|^(?:function|def|fn|func|fun|sub)\b|\)\s*(?:->.*)?:$/.test(text)) return false;
  return !statement.test(text) && /(?:[{([:]|^<[\w-]+.*>)\s*$/.test(text);
}

/** Counts the words of lines. */
type Tokens = ReadonlyMap<string, number>;

function tokensOf(lines: readonly string[], from: number, to: number): Tokens {
  const counts = new Map<string, number>();
  for (let at = from; at < to; at++) {
    for (const [token] of lines[at]!.matchAll(/[\p{L}\p{N}_$]+/gu)) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}

/** Returns the share of the first's tokens that the second has, from 0 to 1. */
function containment(first: Tokens, second: Tokens): number {
  let all = 0;
  let shared = 0;
  for (const [token, count] of first) {
    all += count;
    shared += Math.min(count, second.get(token) ?? 0);
  }
  return all === 0 ? 1 : shared / all;
}

/** The units of the old text, each with the unit of the new one that takes its place, if there is one. */
export interface UnitPairs {
  readonly old: readonly Unit[];
  readonly fresh: readonly Unit[];
  /** By index of an old unit. */
  readonly partner: readonly (number | undefined)[];
}

/** Pairs units by their first lines and defined names, and those between two pairs, in order, if they are similar. */
export function pairUnits(
  oldLines: readonly string[],
  old: readonly Unit[],
  newLines: readonly string[],
  fresh: readonly Unit[],
): UnitPairs {
  const partner: (number | undefined)[] = old.map(() => undefined);
  const taken = new Set<number>();
  const pairBy = (of: (line: string) => string | undefined) => {
    const there = uniqueBy(fresh, (unit) => of(newLines[unit.head]!));
    for (const [name, index] of uniqueBy(old, (unit) => of(oldLines[unit.head]!))) {
      const other = there.get(name);
      if (index === undefined || other === undefined || partner[index] !== undefined || taken.has(other)) continue;
      partner[index] = other;
      taken.add(other);
    }
  };
  pairBy((line) => line.trim());
  pairBy(definedName);
  pairGaps({ old, fresh, partner }, taken, (one, other) => {
    const [before, after] = [old[one]!, fresh[other]!];
    const tokens = tokensOf(oldLines, before.start, before.end);
    return containment(tokens, tokensOf(newLines, after.start, after.end)) >= 0.5;
  });
  return { old, fresh, partner };
}

/** Indexes of units by name; `undefined` for a name of several. */
function uniqueBy(units: readonly Unit[], nameOf: (unit: Unit) => string | undefined): Map<string, number | undefined> {
  const found = new Map<string, number | undefined>();
  for (const [index, unit] of units.entries()) {
    const name = nameOf(unit);
    if (name !== undefined && /[\p{L}\p{N}{}[\]<]/u.test(name)) found.set(name, found.has(name) ? undefined : index);
  }
  return found;
}

/** Pairs the units between two pairs if there are as many of both, such as renamed functions and repeated lines. */
function pairGaps(
  { old, fresh, partner }: { old: readonly Unit[]; fresh: readonly Unit[]; partner: (number | undefined)[] },
  taken: Set<number>,
  areSimilar: (old: number, fresh: number) => boolean,
): void {
  let from = 0;
  let newFrom = 0;
  for (let index = 0; index <= old.length; index++) {
    const at = index === old.length ? fresh.length : partner[index];
    if (at === undefined || at < newFrom) continue;
    const gap = index - from;
    const isFree =
      at - newFrom === gap && !Array.from({ length: gap }, (_, step) => taken.has(newFrom + step)).includes(true);
    if (isFree) {
      for (let step = 0; step < gap; step++) {
        if (!areSimilar(from + step, newFrom + step)) continue;
        partner[from + step] = newFrom + step;
        taken.add(newFrom + step);
      }
    }
    from = index + 1;
    newFrom = at + 1;
  }
}

/**
 * Whether the new lines contain everything of the old ones, so that they can replace them: each unit has a partner, and each definition in
 * it. Of at least four units in order, a few between the first and the last can be missing.
 */
export function covers(
  oldLines: readonly string[],
  old: Unit,
  newLines: readonly string[],
  fresh: Unit,
  depth = 0,
): boolean {
  const pairs = pairUnits(
    oldLines,
    unitsIn(oldLines, old.start, old.end),
    newLines,
    unitsIn(newLines, fresh.start, fresh.end),
  );
  if (!coversAll(pairs)) return false;
  if (depth >= 4) return true;
  return pairs.partner.every(
    (other, index) =>
      other === undefined || coversInside(oldLines, pairs.old[index]!, newLines, pairs.fresh[other]!, depth),
  );
}

/** Whether the new unit contains each definition of the old one. True for functions, whose statements may all change. */
export function coversInside(
  oldLines: readonly string[],
  old: Unit,
  newLines: readonly string[],
  fresh: Unit,
  depth = 0,
): boolean {
  if (!isContainer(oldLines[old.head]!)) return true;
  const [inside, insideNew] = [bodyOf(oldLines, old), bodyOf(newLines, fresh)];
  if (inside.end <= inside.start) return true;
  if (insideNew.end <= insideNew.start) return false;
  return covers(oldLines, inside, newLines, insideNew, depth + 1);
}

function bodyOf(lines: readonly string[], { head, end }: Unit): Unit {
  let last = end;
  while (last > head + 1 && indentOf(lines[last - 1]!).length <= indentOf(lines[head]!).length) last--;
  let start = head + 1;
  while (start < last && (isBlank(lines[start]!) || indentOf(lines[start]!).length <= indentOf(lines[head]!).length))
    start++;
  return { start, head: start, end: last };
}

function coversAll({ old, fresh, partner }: UnitPairs): boolean {
  const missing = partner.filter((other) => other === undefined).length;
  if (missing === 0) return true;
  const isInOrder = partner
    .filter((other) => other !== undefined)
    .every((other, index, all) => index === 0 || other > all[index - 1]!);
  const paired = old.length - missing;
  const hasEnds = partner[0] === 0 && partner.at(-1) === fresh.length - 1;
  return isInOrder && hasEnds && paired >= 4 && missing <= old.length * 0.25;
}

/** Whether brackets are balanced in lines, as far as that shows without parsing: a sign that a unit was read to its end. */
export function isBalanced(lines: readonly string[], { start, end }: Unit): boolean {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = lines[at]!.replaceAll(
      /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\/\/.*|\/(?:[^/\\\s]|\\.)+\//g,
      '',
    );
    for (const sign of code) {
      if ('{(['.includes(sign)) depth++;
      else if ('})]'.includes(sign)) depth--;
    }
  }
  return depth === 0;
}
