import { sanitizeFormula } from './sanitize';

/** How long a batch of formulas may block the page. */
const sliceMs = 8;

const maxKnown = 500;

/** The styles a formula may have: colours, and the positions of its parts. */
const styleNames =
  /^(?:border(?:-(?:bottom|left|right|top))?|color|font-weight|margin-left|math-depth|padding(?:-(?:bottom|left|right|top))?|text-align|width)$/;

/**
 * Replaces the source of formulas with drawn ones, once the library is loaded, which the first formula triggers. A formula that
 * cannot be drawn stays as it is. The hidden source stays inside, because it is what gets copied.
 */
export class Formulas {
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
