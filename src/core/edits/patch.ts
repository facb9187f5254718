import { elisionIn } from './elisions';
import { indentOf, isBlank, type LineSearch, reindented, type Splice } from './textLines';

/** The part of a diff about one file, as models write it: with or without headings, line numbers and counts. */
export interface Patch {
  /** The path after the change, or before it if the file is deleted; absent if the diff doesn't say. */
  readonly path?: string;
  readonly isNewFile: boolean;
  readonly isDeleted: boolean;
  readonly hunks: readonly Hunk[];
}

interface GrowingPatch {
  path?: string;
  isNewFile: boolean;
  isDeleted: boolean;
  readonly hunks: Hunk[];
}

interface Hunk {
  /** From 1, as the diff says, which is often wrong. */
  readonly line?: number;
  readonly lines: readonly { readonly sign: ' ' | '-' | '+'; readonly text: string }[];
}

const heading = /^(?:---|\+\+\+) /;
const hunkHead = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*| .*|@*)?$/;
const gitLine =
  /^(?:diff --git |index [0-9a-f]+\.\.|new file mode |deleted file mode |old mode |new mode |similarity index |rename (?:from|to) |\*\*\* (?:Begin|End) Patch)/;

/** Whether code is a diff, whatever its fence says. */
export function isPatch(code: string, language: string): boolean {
  const lines = code.split('\n', 2000);
  const hasHunk = lines.some((line) => line.startsWith('@@ ') || line.trim() === '@@');
  if (/^(?:diff|patch|udiff)$/i.test(language)) return hasHunk || lines.some((line) => /^[-+]/.test(line));
  return hasHunk && lines.some((line, at) => line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ '));
}

/** Splits a diff by files. Reads each line once. */
export function readPatches(code: string): readonly Patch[] {
  const patches: GrowingPatch[] = [];
  let lines: { sign: ' ' | '-' | '+'; text: string }[] | undefined;
  const begin = () => {
    const patch: GrowingPatch = { isNewFile: false, isDeleted: false, hunks: [] };
    patches.push(patch);
    lines = undefined;
    return patch;
  };
  const all = code.split(/\r?\n/);
  if (all.at(-1) === '') all.pop();
  for (let at = 0; at < all.length; at++) {
    const line = all[at]!;
    const next = all[at + 1] ?? '';
    if (line.startsWith('diff --git ')) begin();
    else if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      const last = patches.at(-1);
      const patch = last && last.hunks.length === 0 && !lines ? last : begin();
      const [before, after] = [pathIn(line), pathIn(next)];
      patch.isNewFile = before === undefined && /\/dev\/null/.test(line);
      patch.isDeleted = after === undefined && /\/dev\/null/.test(next);
      const path = after ?? before;
      if (path !== undefined) patch.path = path;
      lines = undefined;
      at++;
    } else if (hunkHead.test(line)) {
      const number = hunkHead.exec(line)?.[1];
      const patch = patches.at(-1) ?? begin();
      lines = [];
      patch.hunks.push({ ...(number !== undefined && { line: Number(number) }), lines });
    } else if (!lines && gitLine.test(line)) {
      if (line.startsWith('new file mode')) (patches.at(-1) ?? begin()).isNewFile = true;
    } else if (!line.startsWith('\\ ')) {
      if (!lines) {
        if (isBlank(line) || heading.test(line)) continue;
        const patch = patches.at(-1) ?? begin();
        lines = [];
        patch.hunks.push({ lines });
      }
      const sign = line[0];
      if (sign === '+' || sign === '-' || sign === ' ') lines.push({ sign, text: line.slice(1) });
      // Models drop the blank before a line of context.
      else lines.push({ sign: ' ', text: line });
    }
  }
  return patches.filter(({ hunks, isDeleted }) => hunks.length > 0 || isDeleted);
}

function pathIn(line: string): string | undefined {
  const path = line
    .slice(4)
    .split('\t')[0]!
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return path === '/dev/null' || path === '' ? undefined : path.replace(/^[ab]\//, '');
}

/**
 * Returns the splices of a file's hunks: at their exact context, or else at the one place that differs in blanks only. A line number
 * only decides between equal places. Returns why not if the place of any hunk isn't certain.
 */
export function placePatch({ hunks }: Patch, search: LineSearch): readonly Splice[] | 'notFound' | 'ambiguous' {
  const splices: Splice[] = [];
  let shift = 0;
  let from = 0;
  for (const hunk of hunks.flatMap(splitAtElisions)) {
    const placed = placeHunk(hunk, search, from, shift);
    if (typeof placed === 'string') return placed;
    for (const splice of placed.splices) splices.push(splice);
    from = placed.end;
    if (hunk.line !== undefined) shift = placed.start + 1 - hunk.line;
  }
  return splices;
}

/** A line of context such as `// ... existing code ...` stands for lines that the diff leaves out. */
function splitAtElisions(hunk: Hunk): readonly Hunk[] {
  const parts: Hunk['lines'][number][][] = [[]];
  for (const line of hunk.lines) {
    if (line.sign === ' ' && elisionIn(line.text) !== undefined) parts.push([]);
    else parts.at(-1)!.push(line);
  }
  return parts
    .filter((lines) => lines.some(({ sign }) => sign !== ' '))
    .map((lines, index) => ({ lines, ...(index === 0 && hunk.line !== undefined && { line: hunk.line }) }));
}

function placeHunk(
  hunk: Hunk,
  search: LineSearch,
  from: number,
  shift: number,
): { readonly start: number; readonly end: number; readonly splices: readonly Splice[] } | 'notFound' | 'ambiguous' {
  const whole = withoutBlankEnds(hunk);
  for (const { lines } of [hunk, whole]) {
    const old = lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
    if (old.every(isBlank)) {
      if (search.text.every(isBlank)) {
        const added = lines.filter(({ sign }) => sign !== '-').map(({ text }) => text);
        return { start: 0, end: search.text.length, splices: [{ start: 0, end: search.text.length, lines: added }] };
      }
      return 'ambiguous';
    }
    const { starts, isReindented } = search.find(old, from);
    const stated = hunk.line === undefined ? undefined : hunk.line - 1 + shift;
    const start = starts.length === 1 ? starts[0] : starts.find((one) => one === stated && !isReindented);
    if (start !== undefined) return spliced(lines, start, search.text, isReindented);
    if (starts.length > 1) return 'ambiguous';
  }
  return 'notFound';
}

/** The blank line before the end of a fence is often not part of the diff. */
function withoutBlankEnds(hunk: Hunk): Hunk {
  const isPadding = ({ sign, text }: Hunk['lines'][number]) => sign === ' ' && isBlank(text);
  const first = hunk.lines.findIndex((line) => !isPadding(line));
  const last = hunk.lines.findLastIndex((line) => !isPadding(line));
  return { ...hunk, lines: hunk.lines.slice(Math.max(0, first), last + 1) };
}

function spliced(lines: Hunk['lines'], start: number, text: readonly string[], isReindented: boolean) {
  const firstOld = lines.find(({ sign, text: line }) => sign !== '+' && !isBlank(line));
  const at = lines.filter(({ sign }) => sign !== '+').indexOf(firstOld!);
  const [from, to] = isReindented ? [indentOf(firstOld!.text), indentOf(text[start + at]!)] : ['', ''];
  const splices: Splice[] = [];
  let line = start;
  for (let index = 0; index < lines.length;) {
    if (lines[index]!.sign === ' ') {
      line++;
      index++;
      continue;
    }
    const begin = line;
    const added: string[] = [];
    for (; index < lines.length && lines[index]!.sign !== ' '; index++) {
      if (lines[index]!.sign === '-') line++;
      else added.push(lines[index]!.text);
    }
    splices.push({ start: begin, end: line, lines: isReindented ? reindented(added, from, to) : added });
  }
  return { start, end: line, splices };
}
