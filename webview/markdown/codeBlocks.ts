import { languageName } from './highlight';

export interface CodeBlockWords {
  readonly copy: string;
  readonly copyCode: string;
  /** Of code whose language the answer does not name. */
  readonly plainCode: string;
}

/** Puts a bar with its language and actions above every code block, and lets wide blocks and tables scroll by keyboard. */
export function dressBlocks(root: ParentNode, words: CodeBlockWords): void {
  for (const pre of root.querySelectorAll('pre')) {
    const block = create('div', 'md-code');
    pre.replaceWith(block);
    pre.dir = 'ltr';
    pre.tabIndex = 0;
    block.append(createBar(pre, words), pre);
  }
  for (const table of root.querySelectorAll('table')) {
    const frame = create('div', 'md-table');
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
}

/** The exact text of the code block a copy button belongs to; `undefined` for any other element. */
export function codeOf(element: Element): string | undefined {
  const button = element.closest('.md-copy');
  return button?.closest('.md-code')?.querySelector('code')?.textContent;
}

function createBar(pre: HTMLPreElement, words: CodeBlockWords): HTMLElement {
  const language = pre.querySelector('code')?.dataset['lang'];
  const bar = create('div', 'md-code-bar');
  const label = create('span', 'md-code-lang');
  label.textContent = language ? languageName(language) : words.plainCode;
  const copy = create('button', 'md-copy');
  copy.type = 'button';
  copy.textContent = words.copy;
  copy.title = words.copyCode;
  bar.append(label, copy);
  return bar;
}

function create<Name extends 'div' | 'span' | 'button'>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
