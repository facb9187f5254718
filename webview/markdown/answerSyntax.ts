import type { MarkdownIt, StateInline, Token } from 'markdown-it';

/** Elements that answers use for what Markdown has no syntax for. Any other HTML stays text. */
const elements = /<br\s*\/?>|<(sub|sup|kbd)>/iy;
/** Longer elements stay text, because superscripts and subscripts contain only a few words. */
const longestElement = 200;

/** Reads `<br>`, `<sub>`, `<sup>` and `<kbd>`, without attributes. */
export function readElements(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'element', (state, silent) => {
    elements.lastIndex = state.pos;
    const found = elements.exec(state.src);
    if (!found || found.index + found[0].length > state.posMax) return false;
    const tag = found[1]?.toLowerCase();
    if (tag !== undefined) return readElement(state, { tag, start: state.pos + found[0].length, silent });
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos += found[0].length;
    return true;
  });
}

interface ElementStart {
  readonly tag: string;
  /** Where its content starts. */
  readonly start: number;
  readonly silent: boolean;
}

function readElement(state: StateInline, { tag, start, silent }: ElementStart): boolean {
  const close = `</${tag}>`;
  const length = state.src
    .slice(start, Math.min(start + longestElement, state.posMax))
    .toLowerCase()
    .indexOf(close);
  if (length < 0) return false;
  if (!silent) {
    const { posMax } = state;
    state.push(`${tag}_open`, tag, 1);
    state.pos = start;
    state.posMax = start + length;
    state.md.inline.tokenize(state);
    state.push(`${tag}_close`, tag, -1);
    state.posMax = posMax;
  }
  state.pos = start + length + close.length;
  return true;
}

const footnoteStart = /^\[\^([^\s\]^]{1,40})\]:[ \t]+(?=\S)/;
const footnoteMark = /\[\^([^\s\]^]{1,40})\]/y;

/** The blocks that a footnote ends without a blank line. */
const interrupted = ['paragraph', 'reference'];

/** How the definitions of a text list a footnote. No link can have this name. */
function footnoteKey(label: string): string {
  return `^${label.toUpperCase()}`;
}

/**
 * Reads `[^label]: text` as a paragraph where it is written, because text that arrives in pieces has no end to collect footnotes at, and
 * adds the label to the definitions.
 */
export function readFootnoteBlocks(md: MarkdownIt): void {
  md.block.ruler.before(
    'reference',
    'footnote',
    (state, start, behind, silent) => {
      const lineAt = (line: number) => state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
      const label = footnoteStart.exec(lineAt(start))?.[1];
      if (label === undefined || state.sCount[start]! - state.blkIndent >= 4) return false;
      if (silent) return true;
      const rules = state.md.block.ruler.getRules('paragraph');
      const isEnd = (line: number) =>
        state.isEmpty(line) ||
        state.sCount[line]! < state.blkIndent ||
        (state.sCount[line]! - state.blkIndent < 4 &&
          (footnoteStart.test(lineAt(line)) || rules.some((rule) => rule(state, line, behind, true))));
      const { parentType } = state;
      state.parentType = 'paragraph';
      let line = start + 1;
      while (line < behind && !isEnd(line)) line++;
      state.parentType = parentType;
      state.line = line;
      const env = state.env as { references?: Record<string, unknown> };
      env.references ??= {};
      env.references[footnoteKey(label)] ??= { title: '', href: '' };
      const open = state.push('paragraph_open', 'p', 1);
      open.map = [start, line];
      open.attrSet('class', 'md-footnote');
      const inline = state.push('inline', '', 0);
      inline.content = state.getLines(start, line, state.blkIndent, false).trim();
      inline.map = [start, line];
      inline.children = [];
      state.push('paragraph_close', 'p', -1);
      return true;
    },
    { alt: interrupted },
  );
}

/** Reads `[^label]` as a reference to a footnote that the definitions list. */
export function readFootnoteMarks(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'footnote_mark', (state, silent) => {
    footnoteMark.lastIndex = state.pos;
    const [found, label] = footnoteMark.exec(state.src) ?? [];
    const { references } = state.env as { references?: Record<string, unknown> };
    if (found === undefined || label === undefined || references?.[footnoteKey(label)] === undefined) return false;
    if (!silent) {
      state.push('sup_open', 'sup', 1);
      state.push('text', '', 0).content = label;
      state.push('sup_close', 'sup', -1);
    }
    state.pos += found.length;
    return true;
  });
}

const task = /^\[([ xX])\][ \t]+/;

/** Shows a box before the text of each task in a list. */
export function showTasks(tokens: readonly Token[]): void {
  tokens.forEach((token, at) => {
    const item = tokens[at - 2];
    const first = token.type === 'inline' ? token.children?.[0] : undefined;
    if (item?.type !== 'list_item_open' || first?.type !== 'text' || !task.test(first.content)) return;
    const isDone = !first.content.startsWith('[ ]');
    first.content = first.content.replace(task, isDone ? '☑ ' : '☐ ');
    item.attrJoin('class', 'md-task');
  });
}
