import { type CodeBlockWords, dressBlocks } from './codeBlocks';
import { createMarkdownStream, type StreamStep } from './markdownStream';
import { createOpenView } from './openView';
import type { MarkdownRenderer } from './renderer';
import { sanitize } from './sanitize';

/** Draws Markdown that grows, at most once per frame. */
export interface MarkdownView {
  append(text: string): void;
  /** Draws what is left at once: the text has ended. */
  end(): void;
  dispose(): void;
}

export interface MarkdownViewOptions {
  readonly renderer: MarkdownRenderer;
  readonly words: CodeBlockWords;
  /** Told each block once, in order, when it can no longer change. */
  readonly onSettled?: (block: Element) => void;
}

/** Blocks are gathered in parts that the browser may skip while they are out of sight. */
const blocksPerPart = 16;

export function createMarkdownView(
  root: HTMLElement,
  { renderer, words, onSettled }: MarkdownViewOptions,
): MarkdownView {
  const stream = createMarkdownStream(renderer);
  const now = () => performance.now();
  const open = createOpenView({ renderer, words, references: () => stream.openReferences(), now });
  const blocks: (Element | undefined)[] = [];
  let part: HTMLElement | undefined;
  let frame = 0;
  root.append(open.element);

  const partWithRoom = (): HTMLElement => {
    if (part && part.childElementCount < blocksPerPart) return part;
    part = document.createElement('div');
    part.className = 'md-part';
    open.element.before(part);
    return part;
  };

  const place = (block: Element) => {
    partWithRoom().append(block);
    onSettled?.(block);
  };

  const settle = (html: readonly string[]) => {
    const [first, ...others] = html;
    if (first === undefined) return;
    const kept = open.settle(first);
    if (kept) blocks.push(kept);
    const fresh = toBlocks(kept ? others : html, words);
    blocks.push(...fresh);
    open.element.replaceChildren();
    for (const block of kept ? [kept, ...fresh] : fresh) if (block) place(block);
  };

  const update = ({ settled, repaired }: StreamStep) => {
    settle(settled);
    for (const { index, html } of repaired) {
      const [block] = toBlocks([html], words);
      if (block) blocks[index]?.replaceWith(block);
      blocks[index] = block;
    }
  };

  const draw = () => {
    frame = 0;
    update(stream.step());
    if (!stream.open.trim()) open.element.replaceChildren();
    else if (!open.draw(stream.open)) schedule();
  };
  const schedule = () => {
    frame ||= requestAnimationFrame(draw);
  };
  const cancel = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };

  return {
    append(text) {
      stream.push(text);
      schedule();
    },
    end() {
      cancel();
      update(stream.end());
      open.element.remove();
    },
    dispose: cancel,
  };
}

/** One element per HTML, `undefined` for one that holds definitions only. Sanitized together: one pass is dear, not its length. */
function toBlocks(html: readonly string[], words: CodeBlockWords): readonly (Element | undefined)[] {
  const fragment = sanitize(html.join(''));
  dressBlocks(fragment, words);
  const elements = [...fragment.children];
  return html.map((source) => (source ? elements.shift() : undefined));
}
