import { type CodeBlockWords, dressBlocks } from './codeBlocks';
import type { Slicer } from './openSlices';
import { sanitize } from './sanitize';

/** A long open block on the page, drawn piece by piece. */
export interface SlicedBlock {
  readonly element: Element;
  /** Draws what is new. Returns false if the block became something else and cannot continue this way. */
  draw(source: string): boolean;
  /** Completes the block if its final HTML starts with what was drawn so far; returns whether it does. */
  complete(html: string): boolean;
}

/** Returns `undefined` if the slicer's block has no element to draw into. */
export function createSlicedBlock(slicer: Slicer, words: CodeBlockWords): SlicedBlock | undefined {
  const frame = sanitize(slicer.open + slicer.close);
  const hole = holeOf(frame);
  dressBlocks(frame, words);
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
    dressBlocks(piece, words);
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
