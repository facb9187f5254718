import type { CodeBlockWords } from './codeBlocks';
import type { CodeColours } from './codeColours';
import { Formulas } from './formulas';
import { createMarkdownStream, type StreamStep } from './markdownStream';
import { createOpenView } from './openView';
import type { MarkdownRenderer } from './renderer';
import { createSettledBlocks } from './settledBlocks';

/** Draws growing Markdown, at most once per frame. */
export interface MarkdownView {
  append(text: string): void;
  /** Draws the rest at once, because the text has ended. */
  end(): void;
  dispose(): void;
}

export interface MarkdownViewOptions {
  readonly renderer: MarkdownRenderer;
  readonly words: CodeBlockWords;
  readonly colours: CodeColours;
  /** Called once for each block, in order, when it can no longer change. */
  readonly onSettled?: (block: Element) => void;
}

export function createMarkdownView(
  root: HTMLElement,
  { renderer, words, colours, onSettled }: MarkdownViewOptions,
): MarkdownView {
  const stream = createMarkdownStream(renderer);
  const now = () => performance.now();
  const formulas = new Formulas();
  const open = createOpenView({ renderer, words, references: () => stream.openReferences(), now });
  root.append(open.element);
  const blocks = createSettledBlocks(open.element, words, (block, isAnew) => {
    for (const code of block.querySelectorAll<HTMLElement>('code[data-lang]')) colours.colour(code);
    if (!isAnew) onSettled?.(block);
    formulas.show(block);
  });
  let frame = 0;

  const update = ({ settled, repaired }: StreamStep) => {
    if (settled[0] !== undefined) {
      const drawn = open.settle(settled[0]);
      blocks.add(settled, drawn);
      open.element.replaceChildren();
    }
    for (const { index, html } of repaired) blocks.replace(index, html);
  };

  const draw = () => {
    frame = 0;
    update(stream.step());
    if (!stream.open.trim()) open.element.replaceChildren();
    else if (open.draw(stream.open)) {
      colours.colourOpen(open.element);
      formulas.showOpen(open.element);
    } else schedule();
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
