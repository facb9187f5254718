import { type CodeBlockWords, dressBlocks } from './codeBlocks';
import { sanitize } from './sanitize';

/** The part of a growing text that no longer changes, on the page. */
export interface SettledBlocks {
  /** Appends blocks in order, one for each HTML. `first`, if provided, is the first of them as already drawn. */
  add(html: readonly string[], first?: Element): void;
  /** Redraws one block. */
  replace(index: number, html: string): void;
}

/** Blocks are grouped in elements that the browser may skip while they are outside the viewport. */
const blocksPerPart = 16;

/** Inserts the blocks before `end`. Calls `onDrawn` for each inserted block, and again with `isAnew` when it is redrawn. */
export function createSettledBlocks(
  end: Element,
  words: CodeBlockWords,
  onDrawn: (block: Element, isAnew: boolean) => void,
): SettledBlocks {
  const blocks: (Element | undefined)[] = [];
  let part: HTMLElement | undefined;

  const place = (block: Element) => {
    if (!part || part.childElementCount >= blocksPerPart) {
      part = document.createElement('div');
      part.className = 'md-part';
      end.before(part);
    }
    part.append(block);
    onDrawn(block, false);
  };

  return {
    add(html, first) {
      const fresh = toBlocks(first ? html.slice(1) : html, words);
      const added = first ? [first, ...fresh] : fresh;
      blocks.push(...added);
      for (const block of added) if (block) place(block);
    },
    replace(index, html) {
      const [block] = toBlocks([html], words);
      if (block) blocks[index]?.replaceWith(block);
      blocks[index] = block;
      if (block) onDrawn(block, true);
    },
  };
}

/** Returns an element per HTML, `undefined` for mere definitions. Sanitizes all in one pass, because a pass is expensive at any length. */
function toBlocks(html: readonly string[], words: CodeBlockWords): readonly (Element | undefined)[] {
  const fragment = sanitize(html.join(''));
  dressBlocks(fragment, words);
  const elements = [...fragment.children];
  return html.map((source) => (source ? elements.shift() : undefined));
}
