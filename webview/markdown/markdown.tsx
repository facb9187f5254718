import type { ReadonlySignal } from '@preact/signals';
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CodeColours } from './codeColours';
import './markdown.css';
import { createMarkdownView } from './markdownView';
import type { MarkdownRenderer } from './renderer';

export interface MarkdownProps {
  readonly renderer: MarkdownRenderer;
  /** Whether code can be inserted and replaced in an editor, not only copied. */
  readonly canInsert: boolean;
  readonly colours: CodeColours;
  readonly text: ReadonlySignal<string>;
  /** Whether the text is complete. */
  readonly ended: ReadonlySignal<boolean>;
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
