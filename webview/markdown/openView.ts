import { dressBlocks } from './codeBlocks';
import { withoutOpenMarks } from './openMarks';
import { createSlicer, minSliced, type Slicer } from './openSlices';
import type { MarkdownRenderer, References } from './renderer';
import { sanitize } from './sanitize';

/** Draws the end of a text, which may still change. */
export interface OpenView {
  readonly element: HTMLElement;
  /** Returns false if drawing was postponed, because it is expensive and little has changed; try again in the next frame. */
  draw(source: string): boolean;
  /**
   * Ends the rendering of this block. If the output can be completed to exactly `html`, its final HTML, returns the completed element, so
   * that it isn't rendered again, and otherwise `undefined`. The next `draw` is for another block.
   */
  settle(html: string): Element | undefined;
}

interface Step {
  readonly length: number;
  readonly at: number;
  readonly costMs: number;
}

const noStep: Step = { length: 0, at: 0, costMs: 0 };

/** How many times the cost of a step to wait before the next one. A step of 16 ms or more loses a frame, so such steps must be rare. */
const patience = [
  { fromMs: 16, factor: 200 },
  { fromMs: 8, factor: 60 },
  { fromMs: 4, factor: 6 },
] as const;

/** From this length on, the browser's layout counts as part of a step, because the layout of a table grows with all its rows. */
const minMeasured = 16_000;

/** Slicing a block that could not be sliced is retried when the block has grown by this factor. */
const growthBeforeRetry = 1.3;

/**
 * `canInsert`: whether code can be inserted and replaced in an editor, not only copied. `references` returns the definitions at the time
 * of drawing.
 */
export function createOpenView(renderer: MarkdownRenderer, canInsert: boolean, references: () => References): OpenView {
  const element = document.createElement('div');
  element.className = 'md-open';
  let sliced: SlicedBlock | undefined;
  let lengthToSlice = minSliced;
  let last = noStep;

  const drawSliced = (source: string): boolean => {
    if (!sliced && source.length >= lengthToSlice) {
      const slicer = createSlicer(source, renderer, references);
      sliced = slicer && createSlicedBlock(slicer, canInsert);
      if (sliced) element.replaceChildren(sliced.element);
    }
    if (sliced?.draw(source)) return true;
    sliced = undefined;
    lengthToSlice = Math.max(lengthToSlice, source.length * growthBeforeRetry);
    return false;
  };

  const drawWhole = (source: string) => {
    const fragment = sanitize(renderer.render(source, references()));
    dressBlocks(fragment, canInsert);
    element.replaceChildren(fragment);
  };

  return {
    element,
    draw(source) {
      const start = performance.now();
      if (mustWait(last, source.length, start)) return false;
      const seen = withoutOpenMarks(source);
      if (source.length < minSliced || !drawSliced(seen)) drawWhole(seen);
      if (source.length >= minMeasured) void element.offsetHeight;
      last = { length: source.length, at: start, costMs: performance.now() - start };
      return true;
    },
    settle(html) {
      const reused = sliced?.complete(html) ? sliced.element : undefined;
      sliced = undefined;
      lengthToSlice = minSliced;
      last = noStep;
      return reused;
    },
  };
}

function mustWait(last: Step, length: number, now: number): boolean {
  const { factor } = patience.find(({ fromMs }) => last.costMs >= fromMs) ?? { factor: 0 };
  return now - last.at < last.costMs * factor && length < last.length * 1.2;
}

/** A long open block on the page, drawn piece by piece. */
interface SlicedBlock {
  readonly element: Element;
  /** Draws what is new. Returns false if the block became something else and cannot continue this way. */
  draw(source: string): boolean;
  /** Completes the block if its final HTML starts with the output so far. Returns whether it does. */
  complete(html: string): boolean;
}

/** Returns `undefined` if the slicer's block has no element to draw into. */
function createSlicedBlock(slicer: Slicer, canInsert: boolean): SlicedBlock | undefined {
  const frame = sanitize(slicer.open + slicer.close);
  const hole = holeOf(frame);
  dressBlocks(frame, canInsert);
  const element = frame.firstElementChild;
  if (!hole || !element) return undefined;

  let drawn = slicer.open;
  let rest: readonly ChildNode[] = [];

  const pour = (html: string): readonly ChildNode[] => {
    if (!html) return [];
    const piece = sanitize(slicer.open + html + slicer.close);
    const nodes = [...(holeOf(piece)?.childNodes ?? [])];
    // The line feed after the opening tag is already there.
    if (slicer.open.endsWith('\n')) nodes.shift();
    dressBlocks(piece, canInsert);
    const before = hole.lastChild;
    hole.append(...nodes);
    return nodesAfter(hole, before);
  };
  const removeRest = () => {
    for (const node of rest) node.remove();
    rest = [];
  };

  return {
    element,
    draw(source) {
      const slice = slicer.next(source);
      if (!slice) return false;
      removeRest();
      pour(slice.fixed);
      drawn += slice.fixed;
      rest = pour(slice.rest);
      return true;
    },
    complete(html) {
      if (!html.startsWith(drawn) || !html.endsWith(slicer.close)) return false;
      removeRest();
      pour(html.slice(drawn.length, -slicer.close.length));
      element.normalize();
      return true;
    },
  };
}

/** Returns the element that receives the pieces of a block: the body of a table, the code of a code block, else the block itself. */
function holeOf(frame: DocumentFragment): Element | null {
  const block = frame.firstElementChild;
  const inner = block instanceof HTMLTableElement ? 'tbody' : block instanceof HTMLPreElement ? 'code' : undefined;
  return inner && block ? block.querySelector(inner) : block;
}

/** Returns the nodes after `before`, because `dressBlocks` replaces nodes of a piece. */
function nodesAfter(parent: Node, before: ChildNode | null): readonly ChildNode[] {
  const nodes: ChildNode[] = [];
  for (let node = before ? before.nextSibling : parent.firstChild; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}
