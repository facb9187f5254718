import type { MarkdownIt } from 'markdown-it';

/**
 * Formulas in the source, so that Markdown does not interpret their underscores and backslashes. Prices are excluded: the text
 * between two `$` neither begins nor ends with a space, and no digit or letter follows.
 */
const formula =
  /\\\([^]{1,2000}?\\\)|\\\[[^]{1,2000}?\\\]|\$\$[^$]{1,2000}\$\$|\$(?!\s)(?:\\[^]|[^\\$\n]){1,500}?(?<!\s)\$(?![\p{L}\d])/uy;

/** Lines that begin a formula of several lines, each with the text that ends it. */
const ends: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' };

/** Adds inline formulas to the parser. */
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

/** Adds block formulas to the parser. One ends at its closing line or a blank one, so that a block depends on its own lines alone. */
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
