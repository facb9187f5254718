import * as l10n from '@vscode/l10n';
import { languageName } from './codeLanguages';

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

/**
 * Puts a bar with the language and actions above every code block, and makes wide code blocks and tables scrollable by keyboard. Unless
 * `canInsert`, code can only be copied.
 */
export function dressBlocks(root: ParentNode, canInsert: boolean): void {
  for (const pre of root.querySelectorAll('pre')) {
    const block = create('div', 'md-code');
    pre.replaceWith(block);
    pre.dir = 'ltr';
    pre.tabIndex = 0;
    block.append(createBar(pre, canInsert), pre);
  }
  for (const table of root.querySelectorAll('table')) {
    const frame = create('div', 'md-table');
    frame.tabIndex = 0;
    frame.role = 'group';
    frame.ariaLabel = l10n.t('Table');
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

function createBar(pre: HTMLPreElement, canInsert: boolean): HTMLElement {
  const language = pre.querySelector('code')?.dataset['lang'];
  const bar = create('div', 'md-code-bar');
  const label = create('span', 'md-code-lang');
  label.textContent = language ? languageName(language) : plainCode();
  bar.append(label, createButton('copy', l10n.t('Copy'), l10n.t('Copy Code')));
  if (canInsert) bar.append(...insertButtons());
  return bar;
}

/** Returns the label of code whose language the text does not name. */
export function plainCode(): string {
  return l10n.t('Code');
}

function insertButtons(): readonly HTMLElement[] {
  const name = l10n.t('More Actions');
  const more = createButton('more', '', name);
  more.setAttribute('aria-label', name);
  more.setAttribute('aria-haspopup', 'menu');
  more.append(create('span', 'codicon codicon-ellipsis'));
  return [
    createButton('insert', l10n.t('Insert'), l10n.t('Insert at Cursor')),
    createButton('replace', l10n.t('Replace…'), l10n.t('Replace Selection…')),
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
