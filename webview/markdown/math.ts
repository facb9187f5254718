import type { MarkdownIt } from 'markdown-it';

/**
 * Formulas as the source has them, so that Markdown takes none of their underscores and backslashes. A price is none: what stands between two `$` neither begins nor ends with a space, and no digit or letter follows.
 */
const formula =
  /\\\([^]{1,2000}?\\\)|\\\[[^]{1,2000}?\\\]|\$\$[^$]{1,2000}\$\$|\$(?!\s)(?:\\[^]|[^\\$\n]){1,500}?(?<!\s)\$(?![\p{L}\d])/uy;

/** What alone in its line begins a formula of several lines, and what ends it. */
const ends: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' };

/** Formulas within text. */
export function readInlineMath(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'math', (state, silent) => {
    formula.lastIndex = state.pos;
    const [found] = formula.exec(state.src) ?? [];
    if (found === undefined) return false;
    if (!silent) state.push('math', '', 0).content = found;
    state.pos += found.length;
    return true;
  });
}

/** Formulas in lines of their own, up to the line that ends them, or to a blank one: what a block is depends on its own lines alone. */
export function readMathBlocks(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'math_block', (state, start, behind, silent) => {
    const lineAt = (line: number) =>
      state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]).trim();
    const first = lineAt(start);
    const end = Object.hasOwn(ends, first) ? ends[first]! : undefined;
    if (end === undefined || state.sCount[start]! - state.blkIndent >= 4) return false;
    const isWithin = (line: number) => line < behind && state.sCount[line]! >= state.blkIndent && lineAt(line) !== '';
    let line = start + 1;
    while (isWithin(line) && !lineAt(line).endsWith(end)) line++;
    if (silent) return true;
    state.line = isWithin(line) ? line + 1 : line;
    const token = state.push('math_block', 'p', 0);
    token.map = [start, state.line];
    token.content = state.getLines(start, state.line, state.blkIndent, false).trimEnd();
    return true;
  });
}
