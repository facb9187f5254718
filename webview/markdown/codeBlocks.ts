import { languageName } from './codeLanguages';

export interface CodeBlockWords extends Partial<CodeUseWords> {
  readonly copy: string;
  readonly copyCode: string;
  /** Label of code whose language the answer does not name. */
  readonly plainCode: string;
  /** Accessible name of a table, which can be scrolled by keyboard. */
  readonly textTable: string;
}

/** All set or none: without them code can only be copied. */
interface CodeUseWords {
  readonly insertCode: string;
  readonly insertCodeHint: string;
  readonly replaceCode: string;
  readonly replaceCodeHint: string;
  readonly moreCode: string;
}

/** A button of the bar. `more` opens a menu of the actions that have no button, or whose button does not fit. */
export type CodeButton = 'copy' | 'insert' | 'replace' | 'more';

/** A pressed button, and the code below it. */
export interface CodePress {
  readonly button: HTMLElement;
  readonly name: CodeButton;
  /** Exactly as in the answer. */
  readonly code: string;
  /** The language as the answer names it; empty if it does not. */
  readonly language: string;
  /** The buttons that do not fit in the bar now. */
  readonly hidden: readonly CodeButton[];
}

/** Puts a bar with the language and actions above every code block, and makes wide code blocks and tables scrollable by keyboard. */
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
    frame.role = 'group';
    frame.ariaLabel = words.textTable;
    table.replaceWith(frame);
    frame.append(table);
  }
}

/** Returns the press of a button in a code block's bar; `undefined` for any other element. */
export function codePressOf(element: Element): CodePress | undefined {
  const button = element.closest<HTMLElement>('.md-code-button');
  const block = button?.closest('.md-code');
  const code = block?.querySelector<HTMLElement>('code');
  if (!button || !block || !code) return undefined;
  const hidden = [...block.querySelectorAll<HTMLElement>('.md-code-button')]
    .filter((other) => other.offsetParent === null)
    .map(nameOf);
  return { button, name: nameOf(button), code: code.textContent, language: code.dataset['lang'] ?? '', hidden };
}

function nameOf(button: HTMLElement): CodeButton {
  return button.dataset['name'] as CodeButton;
}

function createBar(pre: HTMLPreElement, words: CodeBlockWords): HTMLElement {
  const language = pre.querySelector('code')?.dataset['lang'];
  const bar = create('div', 'md-code-bar');
  const label = create('span', 'md-code-lang');
  label.textContent = language ? languageName(language) : words.plainCode;
  bar.append(label, createButton('copy', words.copy, words.copyCode), ...useButtons(words));
  return bar;
}

function useButtons(words: CodeBlockWords): readonly HTMLElement[] {
  const { insertCode, insertCodeHint = '', replaceCode, replaceCodeHint = '', moreCode } = words;
  if (insertCode === undefined || replaceCode === undefined || moreCode === undefined) return [];
  const more = createButton('more', '', moreCode);
  more.setAttribute('aria-label', moreCode);
  more.setAttribute('aria-haspopup', 'menu');
  more.append(create('span', 'codicon codicon-ellipsis'));
  return [
    createButton('insert', insertCode, insertCodeHint),
    createButton('replace', replaceCode, replaceCodeHint),
    more,
  ];
}

function createButton(name: CodeButton, text: string, hint: string): HTMLElement {
  const button = create('button', `md-code-button md-${name}`);
  button.type = 'button';
  button.dataset['name'] = name;
  button.textContent = text;
  button.title = hint;
  return button;
}

function create<Name extends 'div' | 'span' | 'button'>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
