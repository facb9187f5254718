import { type CodeBlockWords, dressBlocks } from './codeBlocks';
import { sanitize } from './sanitize';

/** The part of a growing text that no longer changes, on the page. */
export interface SettledBlocks {
  /** Adds blocks in order, one for each HTML. `first`, if given, is the first of them as it was already drawn. */
  add(html: readonly string[], first?: Element): void;
  /** Draws one block anew. */
  replace(index: number, html: string): void;
}

/** Blocks are gathered in parts that the browser may skip while they are out of sight. */
const blocksPerPart = 16;

/** Puts the blocks before `end`. `onDrawn` is told each block as it is put there, again where it is drawn anew. */
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

/** One element per HTML, `undefined` for one that holds definitions only. Sanitized together: a pass is dear, not its length. */
function toBlocks(html: readonly string[], words: CodeBlockWords): readonly (Element | undefined)[] {
  const fragment = sanitize(html.join(''));
  dressBlocks(fragment, words);
  const elements = [...fragment.children];
  return html.map((source) => (source ? elements.shift() : undefined));
}
