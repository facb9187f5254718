import { type CodeBlockWords, dressBlocks } from './codeBlocks';
import { createSlicer, minSliced, type Slicer } from './openSlices';
import type { MarkdownRenderer, References } from './renderer';
import { sanitize } from './sanitize';

/** Draws the end of a text that may still change. */
export interface OpenView {
  readonly element: HTMLElement;
  /** Returns false when drawing was put off, because it is dear and little has changed: to be tried again in the next frame. */
  draw(source: string): boolean;
  /**
   * Ends the drawing of this block, whose final HTML is given. Returns what was drawn, completed, if it comes to exactly
   * that, so that nothing has to be drawn again; otherwise `undefined`. What is drawn next is another block.
   */
  settle(html: string): Element | undefined;
}

interface Sliced {
  readonly slicer: Slicer;
  /** Children of the block go in here: the block itself, the body of a table, the code in its frame. */
  readonly hole: Element;
  readonly block: Element;
  html: string;
  rest: readonly Node[];
}

export interface OpenViewOptions {
  readonly renderer: MarkdownRenderer;
  readonly words: CodeBlockWords;
  /** Definitions at the time of drawing. */
  readonly references: () => References;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/** A step that costs less than this many milliseconds is never put off. */
const cheapMs = 4;

export function createOpenView({ renderer, words, references, now }: OpenViewOptions): OpenView {
  const element = document.createElement('div');
  element.className = 'md-open';
  let sliced: Sliced | undefined;
  let cannotSlice = false;
  let drawn = { length: 0, at: 0, costMs: 0 };

  const startSlicing = (source: string): Sliced | undefined => {
    const slicer = createSlicer(source, renderer, references);
    if (!slicer) return undefined;
    const frame = sanitize(slicer.open + slicer.close);
    const hole = frame.querySelector('tbody, code') ?? frame.firstElementChild;
    if (!hole) return undefined;
    dressBlocks(frame, words);
    const block = frame.firstElementChild;
    if (!block) return undefined;
    element.replaceChildren(block);
    return { slicer, hole, block, html: slicer.open, rest: [] };
  };

  const pour = (target: Sliced, html: string): readonly Node[] => {
    if (!html) return [];
    const { open, close } = target.slicer;
    const frame = sanitize(open + html + close);
    const nodes = [...((frame.querySelector('tbody, code') ?? frame.firstElementChild)?.childNodes ?? [])];
    target.hole.append(...nodes);
    dressBlocks(target.hole, words);
    return nodes;
  };

  const drawSlices = (target: Sliced, source: string): boolean => {
    const slice = target.slicer.next(source);
    if (!slice) return false;
    replaceRest(target);
    pour(target, slice.fixed);
    target.html += slice.fixed;
    const last = target.hole.lastChild;
    pour(target, slice.rest);
    target.rest = nodesAfter(target.hole, last);
    return true;
  };

  const drawWhole = (source: string) => {
    const fragment = sanitize(renderer.render(source, { references: references(), settled: false }));
    dressBlocks(fragment, words);
    element.replaceChildren(fragment);
  };

  const mustWait = (source: string): boolean => {
    if (drawn.costMs < cheapMs) return false;
    const waitMs = drawn.costMs * (drawn.costMs < 2 * cheapMs ? 6 : 60);
    return now() - drawn.at < waitMs && source.length < drawn.length * 1.2;
  };

  return {
    element,
    draw(source) {
      if (mustWait(source)) return false;
      const start = now();
      if (!sliced && !cannotSlice && source.length >= minSliced) {
        sliced = startSlicing(source);
        cannotSlice = !sliced;
      }
      if (sliced && !drawSlices(sliced, source)) {
        sliced = undefined;
        cannotSlice = true;
      }
      if (!sliced) drawWhole(source);
      drawn = { length: source.length, at: start, costMs: now() - start };
      return true;
    },
    settle(html) {
      const target = sliced;
      sliced = undefined;
      cannotSlice = false;
      drawn = { length: 0, at: 0, costMs: 0 };
      if (!target || !html.startsWith(target.html) || !html.endsWith(target.slicer.close)) return undefined;
      replaceRest(target);
      pour(target, html.slice(target.html.length, -target.slicer.close.length));
      target.block.normalize();
      return target.block;
    },
  };
}

function replaceRest(target: Sliced): void {
  for (const node of target.rest) node.parentNode?.removeChild(node);
  target.rest = [];
}

function nodesAfter(parent: Node, last: ChildNode | null): readonly Node[] {
  const nodes: Node[] = [];
  for (let node = last ? last.nextSibling : parent.firstChild; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}
