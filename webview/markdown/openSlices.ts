import type { MarkdownRenderer, References } from './renderer';

/** The drawing of a long open block: HTML to append permanently, and HTML that is replaced at every step. */
export interface Slice {
  readonly fixed: string;
  readonly rest: string;
}

/**
 * Renders one long open block in parts, so that the cost of a step depends on the new text, not on the total. `open + fixed… + rest +
 * close` equals the rendered block wherever a part doesn't depend on a later one. When the block settles, it is compared with the final
 * HTML and rendered again if it differs.
 */
export interface Slicer {
  readonly open: string;
  readonly close: string;
  /** Returns `undefined` if the block became something else and can no longer be sliced. */
  next(source: string): Slice | undefined;
}

/** Shorter blocks cost less to draw whole than to slice. */
export const minSliced = 3000;

/** How much of a paragraph stays redrawable after the last cut, so that emphasis and links in it can still close. */
const paragraphRest = 1500;

/** Returns `undefined` for a source that cannot be sliced. Calls `references` at each step, because definitions may have arrived. */
export function createSlicer(
  source: string,
  renderer: MarkdownRenderer,
  references: () => References,
): Slicer | undefined {
  const blocks = renderer.outline(source).filter((token) => token.level === 0 && token.map && token.type !== 'inline');
  const [block] = blocks;
  if (!block || blocks.length > 1) return undefined;
  switch (block.type) {
    case 'paragraph_open':
      return createParagraphSlicer(renderer, references);
    case 'bullet_list_open':
    case 'ordered_list_open':
      return createListSlicer(source, renderer, references);
    case 'table_open':
      return createTableSlicer(source, renderer, references);
    case 'fence':
      return createFenceSlicer(source, renderer, references);
    default:
      return undefined;
  }
}

function createParagraphSlicer(renderer: MarkdownRenderer, references: () => References): Slicer {
  let drawn = 0;
  return {
    open: '<p dir="auto">',
    close: '</p>\n',
    next(source) {
      if (drawn === 0) drawn = /^\s*/.exec(source)?.[0].length ?? 0;
      const start = drawn;
      drawn = findCut(source, start, source.length - paragraphRest);
      const fixed = drawn > start ? renderer.renderInline(source.slice(start, drawn), references()) : '';
      return { fixed, rest: renderer.renderInline(source.slice(drawn).trimEnd(), references()) };
    },
  };
}

/** A paragraph that has grown this long since the last cut is cut even inside an emphasis, because the cost of a step matters more. */
const maxUncut = 6000;
const maxTries = 50;

/** Returns the last position in `from…to` after which no emphasis, code, or link seems to be open, or `from` if there is none yet. */
function findCut(source: string, from: number, to: number): number {
  if (to - from < paragraphRest) return from;
  const gaps = /[ 。！？；，、](?=\S)/gu;
  const places = [...source.slice(from, to).matchAll(gaps)].map(({ index }) => from + index + 1);
  const balanced = places.slice(-maxTries).findLast((place) => isBalanced(source.slice(from, place)));
  if (balanced !== undefined || to - from < maxUncut) return balanced ?? from;
  const isHalfOfPair = /[\uDC00-\uDFFF]/.test(source[to] ?? '');
  return places.at(-1) ?? (isHalfOfPair ? to - 1 : to);
}

function isBalanced(text: string): boolean {
  const marks: Record<string, number> = {};
  for (const [run] of text.matchAll(/\*+|_+|`+|~+|[[\]]/g)) marks[run] = (marks[run] ?? 0) + 1;
  return Object.entries(marks).every(([run, count]) =>
    run === '[' || run === ']' ? marks['['] === marks[']'] : count % 2 === 0,
  );
}

function createListSlicer(
  source: string,
  renderer: MarkdownRenderer,
  references: () => References,
): Slicer | undefined {
  const whole = renderer.render(source, references());
  const open = /^<[uo]l[^>]*>\n/.exec(whole)?.[0];
  if (!open) return undefined;
  const loose = renderer
    .outline(source)
    .some((token) => token.type === 'paragraph_open' && token.level === 2 && !token.hidden);
  let drawn = 0;
  return {
    open,
    close: open.startsWith('<ul') ? '</ul>\n' : '</ol>\n',
    next(grown) {
      const rest = grown.slice(drawn);
      const start = lastItemStart(rest, renderer);
      if (start === undefined) return undefined;
      const fixed = start > 0 ? renderer.renderItems(rest.slice(0, start), loose, references()) : '';
      const tail = renderer.renderItems(rest.slice(start), loose, references());
      if (fixed === undefined || tail === undefined) return undefined;
      drawn += start;
      return { fixed, rest: tail };
    },
  };
}

function lastItemStart(source: string, renderer: MarkdownRenderer): number | undefined {
  const items = renderer.outline(source).filter((token) => token.type === 'list_item_open' && token.level === 1);
  const line = items.at(-1)?.map?.[0];
  return line === undefined ? undefined : offsetOfLine(source, line);
}

function offsetOfLine(source: string, line: number): number {
  let offset = 0;
  for (let passed = 0; passed < line; passed++) offset = source.indexOf('\n', offset) + 1;
  return offset;
}

function createTableSlicer(
  source: string,
  renderer: MarkdownRenderer,
  references: () => References,
): Slicer | undefined {
  const head = /^\s*[^\n]*\n[^\n]*\n/.exec(source)?.[0];
  if (!head) return undefined;
  const rows = (lines: string) =>
    between(renderer.render(head + lines, references()), '<tbody>\n', '</tbody>\n</table>\n');
  const open = /^[^]*<tbody>\n/.exec(renderer.render(source, references()))?.[0];
  if (!open) return undefined;
  let drawn = head.length;
  return {
    open,
    close: '</tbody>\n</table>\n',
    next(grown) {
      const end = grown.lastIndexOf('\n') + 1;
      const fixed = end > drawn ? rows(grown.slice(drawn, end)) : '';
      // A row that has only just begun ("|") does not count yet.
      const rest = (end < grown.length && rows(grown.slice(end))) || '';
      if (fixed === undefined) return undefined;
      drawn = Math.max(end, drawn);
      return { fixed, rest };
    },
  };
}

function createFenceSlicer(
  source: string,
  renderer: MarkdownRenderer,
  references: () => References,
): Slicer | undefined {
  const head = /^\n*(?:`{3,}|~{3,})[^\n]*\n/.exec(source)?.[0];
  if (!head) return undefined;
  const empty = renderer.render(head, references());
  const close = '</code></pre>\n';
  let drawn = head.length;
  return {
    open: empty.slice(0, -close.length),
    close,
    next(grown) {
      // The last line may be the beginning of the closing fence.
      const end = grown.lastIndexOf('\n') + 1;
      const fixed = end > drawn ? renderer.renderCode(grown.slice(drawn, end)) : '';
      const last = grown.slice(Math.max(end, drawn));
      drawn = Math.max(end, drawn);
      return { fixed, rest: /^ {0,3}[`~]+[ \t]*$/.test(last) ? '' : renderer.renderCode(last) };
    },
  };
}

function between(html: string, open: string, close: string): string | undefined {
  const start = html.indexOf(open);
  return start >= 0 && html.endsWith(close) ? html.slice(start + open.length, -close.length) : undefined;
}
