import './markdown.css';
import { type ReadonlySignal, effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CodeColours } from './codeColours';
import type { MarkdownRenderer } from './renderer';
import { dressBlocks } from './codeBlocks';
import { Formulas } from './formulas';
import { createOpenView } from './openView';
import { createMarkdownStream, type StreamStep } from './markdownStream';
import { sanitize } from './sanitize';

export interface MarkdownProps {
  readonly renderer: MarkdownRenderer;
  /** Whether code can be inserted and replaced in an editor, not only copied. */
  readonly canInsert: boolean;
  readonly colours: CodeColours;
  readonly text: ReadonlySignal<string>;
  /** Whether the text is complete. */
  readonly ended: ReadonlySignal<boolean>;
  /** Called once for each block, in order, when it can no longer change. */
  readonly onSettled?: (block: Element) => void;
}

/** Markdown that is drawn as it arrives. A text that no longer begins with what was drawn is drawn again from the start. */
export function Markdown({ renderer, canInsert, colours, text, ended, onSettled }: MarkdownProps) {
  const root = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const start = () => createMarkdownView(element, { renderer, canInsert, colours, ...(onSettled && { onSettled }) });
    let view = start();
    let drawn = '';
    let isOver = false;
    const stop = effect(() => {
      const whole = text.value;
      if (isOver ? whole !== drawn : !whole.startsWith(drawn)) {
        view.dispose();
        element.replaceChildren();
        view = start();
        drawn = '';
        isOver = false;
      }
      if (whole.length > drawn.length) view.append(whole.slice(drawn.length));
      drawn = whole;
      if (ended.value && !isOver) {
        isOver = true;
        view.end();
      }
    });
    return () => {
      stop();
      view.dispose();
      element.replaceChildren();
    };
  }, [renderer, canInsert, colours, text, ended, onSettled]);

  return <div class="md" ref={root} />;
}

/** Draws growing Markdown, at most once per frame. */
interface MarkdownView {
  append(text: string): void;
  /** Draws the rest at once, because the text has ended. */
  end(): void;
  dispose(): void;
}

export function createMarkdownView(
  root: HTMLElement,
  { renderer, canInsert, colours, onSettled }: Omit<MarkdownProps, 'text' | 'ended'>,
): MarkdownView {
  const stream = createMarkdownStream(renderer);
  const formulas = new Formulas();
  const open = createOpenView(renderer, canInsert, () => stream.openReferences());
  root.append(open.element);
  const blocks = createSettledBlocks(open.element, canInsert, (block, isAnew) => {
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

/** The part of a growing text that no longer changes, on the page. */
interface SettledBlocks {
  /** Appends blocks in order, one for each HTML. `first`, if provided, is the first of them as already drawn. */
  add(html: readonly string[], first?: Element): void;
  /** Redraws one block. */
  replace(index: number, html: string): void;
}

/** Blocks are grouped in elements that the browser may skip while they are outside the viewport. */
const blocksPerPart = 16;

/** Inserts the blocks before `end`. Calls `onDrawn` for each inserted block, and again with `isAnew` when it is redrawn. */
function createSettledBlocks(
  end: Element,
  canInsert: boolean,
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
      const fresh = toBlocks(first ? html.slice(1) : html, canInsert);
      const added = first ? [first, ...fresh] : fresh;
      for (const one of added) blocks.push(one);
      for (const block of added) if (block) place(block);
    },
    replace(index, html) {
      const [block] = toBlocks([html], canInsert);
      if (block) blocks[index]?.replaceWith(block);
      blocks[index] = block;
      if (block) onDrawn(block, true);
    },
  };
}

/** Returns an element per HTML, `undefined` for mere definitions. Sanitizes all in one pass, because a pass is expensive at any length. */
function toBlocks(html: readonly string[], canInsert: boolean): readonly (Element | undefined)[] {
  const fragment = sanitize(html.join(''));
  dressBlocks(fragment, canInsert);
  const elements = [...fragment.children];
  return html.map((source) => (source ? elements.shift() : undefined));
}
