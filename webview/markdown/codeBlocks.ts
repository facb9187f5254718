import * as l10n from '@vscode/l10n';
import { languageName } from './codeLanguages';

/** A button of the bar. `more` opens a menu of the actions that have no button, or whose button does not fit. */
export type CodeButton = 'target' | 'apply' | 'insert' | 'copy' | 'more';

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
    // All blocks have the same buttons.
    block.role = 'group';
    block.ariaLabel = languageOf(pre);
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

/** Where a code block belongs, as the head of the block shows it. */
export interface ShownTarget {
  /** The file, or a text that says to choose one. */
  readonly label: string;
  readonly title: string;
  readonly icon: 'file-code' | 'files' | 'new-file' | 'search';
  /** Numbers of changed lines; absent if they are unknown. */
  readonly counts?: { readonly added: number; readonly removed: number };
}

/** Shows the target in the place of the language, as a button. */
export function showTarget(block: Element, { label, title, icon, counts }: ShownTarget): void {
  const place = block.querySelector('.md-code-target');
  if (!place) return;
  place.classList.toggle('md-unknown', icon === 'search');
  if (icon !== 'search') block.ariaLabel = label;
  place.querySelector('.md-code-counts')?.remove();
  // The same button stays, because it can have the focus.
  if (place.querySelector('.md-target')?.ariaLabel !== title) {
    const button = createButton('target', title);
    button.append(create('span', `codicon codicon-${icon}`), labelled(label));
    button.setAttribute('aria-label', title);
    place.replaceChildren(button);
  }
  const isInFile = counts?.added === 0 && counts.removed === 0;
  const done = block.hasAttribute('data-applied') ? l10n.t('Applied') : l10n.t('No Changes');
  const apply = block.querySelector('.md-apply');
  if (apply) showAction(apply, isInFile ? 'check' : 'diff', isInFile ? done : l10n.t('Apply'));
  if (!counts || isInFile) return;
  const shown = create('span', 'md-code-counts');
  const [added, removed] = [create('span', 'md-added'), create('span', 'md-removed')];
  added.textContent = `+${counts.added}`;
  removed.textContent = `−${counts.removed}`;
  shown.append(added, ' ', removed);
  shown.title = l10n.t('Added lines: {0}. Removed lines: {1}.', String(counts.added), String(counts.removed));
  place.append(shown);
}

function showAction(button: Element, icon: 'check' | 'diff', text: string): void {
  button.setAttribute('aria-label', text);
  button.replaceChildren(create('span', `codicon codicon-${icon}`), labelled(text));
}

function nameOf(button: HTMLElement): CodeButton {
  return button.dataset['name'] as CodeButton;
}

function languageOf(pre: HTMLPreElement): string {
  const language = pre.querySelector('code')?.dataset['lang'];
  return language ? languageName(language) : plainCode();
}

function createBar(pre: HTMLPreElement, canInsert: boolean): HTMLElement {
  const bar = create('div', 'md-code-bar');
  const place = create('span', 'md-code-target');
  const label = create('span', 'md-code-lang');
  label.textContent = languageOf(pre);
  place.append(label);
  const copy = withIcon('copy', 'copy', l10n.t('Copy'), l10n.t('Copy Code'));
  bar.append(place);
  if (canInsert) bar.append(...editButtons(), copy, moreButton());
  else bar.append(copy);
  return bar;
}

/** Returns the label of code whose language the text does not name. */
export function plainCode(): string {
  return l10n.t('Code');
}

function editButtons(): readonly HTMLElement[] {
  return [
    withIcon('apply', 'diff', l10n.t('Apply'), l10n.t('Apply to File')),
    withIcon('insert', 'insert', l10n.t('Insert'), l10n.t('Insert at Cursor')),
  ];
}

function moreButton(): HTMLElement {
  const name = l10n.t('More Actions');
  const more = createButton('more', name);
  more.setAttribute('aria-label', name);
  more.setAttribute('aria-haspopup', 'menu');
  more.append(create('span', 'codicon codicon-ellipsis'));
  return more;
}

/** Narrow blocks show the icon or the text alone, so the name is set apart. */
function withIcon(name: CodeButton, icon: 'copy' | 'insert' | 'diff', text: string, hint: string): HTMLElement {
  const button = createButton(name, hint);
  button.setAttribute('aria-label', text);
  button.append(create('span', `codicon codicon-${icon}`), labelled(text));
  return button;
}

function labelled(text: string): HTMLElement {
  const label = create('span', 'md-code-label');
  label.textContent = text;
  return label;
}

function createButton(name: CodeButton, hint: string): HTMLElement {
  const button = create('button', `md-code-button md-${name}`);
  button.type = 'button';
  button.dataset['name'] = name;
  button.title = hint;
  return button;
}

function create<Name extends 'div' | 'span' | 'button'>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
