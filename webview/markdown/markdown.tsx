import './markdown.css';
import { type ReadonlySignal, effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CodeColours } from './codeColours';
import type { MarkdownRenderer } from './renderer';
import { dressBlocks } from './codeBlocks';
import { createOpenView } from './openView';
import { createMarkdownStream, type StreamStep } from './markdownStream';
import { sanitize, sanitizeFormula } from './sanitize';

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

/** How long a batch of formulas may block the page. */
const sliceMs = 8;

const maxKnown = 500;

/** The styles a formula may have: colors, and the positions of its parts. */
const styleNames =
  /^(?:border(?:-(?:bottom|left|right|top))?|color|font-weight|margin-left|math-depth|padding(?:-(?:bottom|left|right|top))?|text-align|width)$/;

/**
 * Replaces the source of formulas with drawn ones, once the library is loaded, which the first formula triggers. A formula that
 * cannot be drawn stays as it is. The hidden source stays inside, because it is what gets copied.
 */
class Formulas {
  private readonly known = new Map<string, DocumentFragment | undefined>();
  private render: ((source: string) => string | undefined) | undefined;
  private loading: Promise<void> | undefined;
  private waiting: HTMLElement[] = [];
  private isAtWork = false;
  /** Makes a formula that is wider than the answer scrollable by keyboard. */
  private readonly widths = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWide = target.scrollWidth > target.clientWidth;
      target.role = isWide ? 'group' : 'none';
      target.ariaLabel = isWide ? (target.firstElementChild?.textContent ?? null) : null;
      if (isWide) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });

  /** Draws the formulas in a block that no longer changes. */
  show(block: ParentNode): void {
    for (const one of formulasIn(block)) this.waiting.push(one);
    if (this.waiting.length > 0 && !this.isAtWork) void this.work();
  }

  /** Draws the formulas in a block that still grows and was just redrawn, except one at its very end, which may be incomplete. */
  showOpen(root: Element): void {
    const formulas = formulasIn(root);
    if (formulas.length === 0) return;
    if (!this.render) void this.load();
    else for (const formula of formulas) if (isFollowed(formula, root)) this.draw(formula);
  }

  private async work(): Promise<void> {
    this.isAtWork = true;
    await this.load();
    let start = performance.now();
    for (let formula = this.waiting.shift(); formula; formula = this.waiting.shift()) {
      if (formula.isConnected) this.draw(formula);
      if (formula.matches('.md-math-drawn')) this.widths.observe(formula);
      if (performance.now() - start < sliceMs) continue;
      await new Promise((resolve) => setTimeout(resolve));
      start = performance.now();
    }
    this.isAtWork = false;
  }

  /** Also resolves if loading fails, so that nothing waits forever. */
  private load(): Promise<void> {
    this.loading ??= import('./mathMarkup').then(
      ({ toMathMarkup }) => void (this.render = toMathMarkup),
      () => undefined,
    );
    return this.loading;
  }

  private draw(formula: HTMLElement): void {
    // Already drawn, or contains a marked direction control.
    if (formula.childElementCount > 0) return;
    const source = formula.textContent;
    const drawn = this.drawnOf(source);
    if (!drawn) return;
    const text = document.createElement('span');
    text.className = 'md-math-source';
    text.ariaHidden = 'true';
    text.textContent = source;
    formula.role = 'none';
    formula.classList.add('md-math-drawn');
    formula.replaceChildren(text, drawn.cloneNode(true));
  }

  private drawnOf(source: string): DocumentFragment | undefined {
    if (this.known.has(source)) return this.known.get(source);
    const markup = this.render?.(source);
    const drawn = markup === undefined ? undefined : styled(sanitizeFormula(markup));
    if (this.known.size >= maxKnown) this.known.clear();
    this.known.set(source, drawn);
    return drawn;
  }
}

function formulasIn(root: ParentNode): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('.md-math')];
}

function isFollowed(formula: Element, root: Element): boolean {
  for (let node: Node | null = formula; node && node !== root; node = node.parentNode) {
    for (let next = node.nextSibling; next; next = next.nextSibling) if (next.textContent?.trim()) return true;
  }
  return false;
}

/** Applies the allowed declarations of `data-style` one by one, because neither the page nor the sanitizer allows a style attribute. */
function styled(fragment: DocumentFragment): DocumentFragment {
  for (const element of fragment.querySelectorAll<HTMLElement>('[data-style]')) {
    for (const declaration of (element.dataset['style'] ?? '').split(';')) {
      const [name = '', value = ''] = declaration.split(':');
      if (styleNames.test(name)) element.style.setProperty(name, value);
    }
    element.removeAttribute('data-style');
  }
  return fragment;
}
