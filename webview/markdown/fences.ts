import type { MarkdownIt } from 'markdown-it';
import { fenceOpenedBy, fencesAfter, mayOpenCode, type OpenFence } from '../../src/protocol/fences';

/** The blocks that a fence ends without a blank line. */
const interrupted = ['paragraph', 'reference', 'blockquote', 'list'];

/**
 * Replaces the parser's rule for fences with one that lets them nest in Markdown files. The `meta` of its tokens contains `isClosed`:
 * whether the fence has a closing line, and `mayGoOn`: whether it is closed because the text ends there.
 */
export function readNestedFences(md: MarkdownIt): void {
  md.block.ruler.at(
    'fence',
    (state, start, behind, silent) => {
      const lineAt = (line: number) => {
        const indent = ' '.repeat(Math.max(0, state.sCount[line]! - state.blkIndent));
        return indent + state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
      };
      if (state.sCount[start]! - state.blkIndent >= 4) return false;
      const outer = fenceOpenedBy(lineAt(start));
      if (!outer) return false;
      if (silent) return true;
      let open: readonly OpenFence[] = [outer];
      let line = start + 1;
      const beside = (step: -1 | 1) => {
        const at = line + step;
        const isEnd =
          at >= behind ||
          (state.tShift[at]! + state.bMarks[at]! < state.eMarks[at]! && state.sCount[at]! < state.blkIndent);
        return isEnd ? undefined : lineAt(at);
      };
      for (; line < behind; line++) {
        const isBlank = state.bMarks[line]! + state.tShift[line]! >= state.eMarks[line]!;
        // The list or quote around it ends here.
        if (!isBlank && state.sCount[line]! < state.blkIndent) break;
        open = fencesAfter(lineAt(line), open, beside);
        if (open.length === 0) break;
      }
      const isClosed = open.length === 0;
      const mayGoOn = isClosed && outer.isMarkdown && line + 1 >= behind && mayOpenCode(beside);
      state.line = isClosed ? line + 1 : line;
      const token = state.push('fence', 'code', 0);
      token.info = lineAt(start).trimStart().slice(outer.markup.length);
      token.content = state.getLines(start + 1, line, state.sCount[start]!, true);
      token.markup = outer.markup;
      token.map = [start, state.line];
      token.meta = { isClosed, mayGoOn };
      return true;
    },
    { alt: interrupted },
  );
}
