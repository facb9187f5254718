import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { type CodeAction, codeKey, isShellLanguage } from '../../../src/protocol/codeActions';
import type { CodeTargetView } from '../../../src/protocol/chatEdits';
import type { WireError } from '../../../src/protocol/wire';
import { createMenus, type MenuItem } from '../../components/menu';
import { Note } from '../../components/note';
import { type CodePress, codePressOf, type ShownTarget, showTarget } from '../../markdown/codeBlocks';
import type { Chat } from './chatContext';
import type { ChatHost } from './chatHost';

/** Handles the buttons of code blocks. Listens on the page, because the buttons are inside rendered Markdown. */
export function listenToCode(page: HTMLElement, chat: Chat): void {
  const openMenu = createMenus(page);
  page.addEventListener('click', (event) => {
    const press = event.target instanceof Element ? codePressOf(event.target) : undefined;
    if (!press) return;
    if (press.name === 'more') openMenu(press.button, menuItems(chat, press));
    else if (press.name === 'copy') copy(chat, press);
    else if (press.name === 'insert') use(chat, press, press.name);
    else edit(chat, press, press.name);
  });
}

function menuItems(chat: Chat, press: CodePress): readonly MenuItem[] {
  const item = (label: string, action: CodeAction): MenuItem => ({ label, run: () => use(chat, press, action) });
  return [
    ...(press.hidden.includes('copy') ? [{ label: l10n.t('Copy Code'), run: () => copy(chat, press) }] : []),
    ...(press.hidden.includes('insert') ? [item(l10n.t('Insert at Cursor'), 'insert')] : []),
    ...(countOf(press) > 1 ? [{ label: l10n.t('Apply All'), run: () => edit(chat, press, 'all') }] : []),
    item(l10n.t('Replace Selection…'), 'replace'),
    item(l10n.t('New File'), 'newFile'),
    ...(isShellLanguage(press.language) ? [item(l10n.t('Run in Terminal…'), 'run')] : []),
  ];
}

function copy({ session, announcer }: Chat, { code }: CodePress): void {
  void session.copy(code);
  announcer.say(l10n.t('Copied'));
}

function use(chat: Chat, press: CodePress, action: CodeAction): void {
  const { code, language, button } = press;
  const turnId = button.closest<HTMLElement>('.turn')?.dataset['turn'];
  if (turnId === undefined) return;
  const act = (id: string) => (id === 'newFile' ? use(chat, press, id) : void chat.session.act(id));
  tellAtCode(button, chat.announcer);
  void chat.session
    .useCode({ turnId, action, code, language })
    .then((error) => tellAtCode(button, chat.announcer, error, act));
}

/** Returns the number of blocks of the answer whose files are known. */
function countOf({ button }: CodePress): number {
  return button.closest('.turn')?.querySelectorAll('.md-code[data-target]').length ?? 0;
}

/** Applies the block, or all of the answer, to its file, or opens the file. */
function edit({ session, announcer }: Chat, { button, code }: CodePress, action: 'apply' | 'all' | 'target'): void {
  const turn = button.closest<HTMLElement>('.turn');
  const block = button.closest('.md-code');
  const turnId = turn?.dataset['turn'];
  if (!turn || !block || turnId === undefined) return;
  const key = codeKey(code);
  const same = [...turn.querySelectorAll('.md-code')].filter((other) => keyOf(other) === key);
  const place = { turnId, key, index: Math.max(0, same.indexOf(block)) };
  tellAtCode(button, announcer);
  const applied =
    action === 'target' ? [] : action === 'all' ? [...turn.querySelectorAll('.md-code[data-target]')] : [block];
  // Before the changes are in the file, after which the head says so.
  for (const one of applied) one.setAttribute('data-applied', '');
  void session.editCode(action, place).then((error) => {
    if (error) for (const one of applied) one.removeAttribute('data-applied');
    tellAtCode(button, announcer, error);
  });
}

function keyOf(block: Element): string {
  return codeKey(block.querySelector('code')?.textContent ?? '');
}

/** Shows the targets of a turn's code blocks in their heads. Blocks that no file is known for get one to choose. */
export function showTargets(turn: Element, targets: readonly CodeTargetView[]): void {
  const left = [...targets];
  for (const block of turn.querySelectorAll('.md-code')) {
    const key = keyOf(block);
    const at = left.findIndex((target) => target.key === key);
    if (at < 0) continue;
    const [target] = left.splice(at, 1) as [CodeTargetView];
    const language = block.querySelector<HTMLElement>('code')?.dataset['lang'] ?? '';
    const isKnown = target.kind !== 'unknown';
    if (isKnown) block.setAttribute('data-target', target.kind);
    else if (language === '' || isShellLanguage(language) || isOutput(language)) continue;
    showTarget(block, shownTarget(target));
  }
}

function shownTarget({ kind, path, added, removed }: CodeTargetView): ShownTarget {
  const counts = added === undefined || removed === undefined ? {} : { counts: { added, removed } };
  const name = path.split('/').at(-1) ?? path;
  switch (kind) {
    case 'file':
      return { label: name, title: l10n.t('Open {0}', path), icon: 'file-code', ...counts };
    case 'newFile':
      return { label: name, title: l10n.t('New file: {0}', path), icon: 'new-file', ...counts };
    case 'several':
      return { label: l10n.t('Multiple files'), title: l10n.t('Files: {0}', path), icon: 'files', ...counts };
    case 'unknown':
      return { label: l10n.t('Choose File…'), title: l10n.t('Choose File…'), icon: 'search' };
  }
}

/** Whether code in this language is what a program printed, which belongs to no file. */
function isOutput(language: string): boolean {
  return /^(?:console|text|txt|plaintext|output|log|terminal|shell-session|diff-output|http)$/i.test(language);
}

/** Shows below a code block why a button's action failed, with buttons that call `act`. Without `error`, removes that note. */
function tellAtCode(
  button: HTMLElement,
  announcer: Chat['announcer'],
  error?: WireError,
  act?: (action: string) => void,
): void {
  const block = button.closest('.md-code');
  const before = block?.querySelector('.md-code-note');
  if (before) render(null, before);
  before?.remove();
  if (!error) return;
  announcer.say([error.title, error.detail].filter(Boolean).join('. '));
  if (!block) return;
  const place = document.createElement('div');
  place.className = 'md-code-note';
  block.append(place);
  const dismiss = () => {
    tellAtCode(button, announcer);
    button.focus();
  };
  render(
    <Note
      tone="warning"
      {...error}
      onAct={(action) => act?.(action)}
      dismiss={{ label: l10n.t('Dismiss'), run: dismiss }}
    />,
    place,
  );
  place.scrollIntoView({ block: 'nearest' });
}

const prefix = '--desk-code-';

/** Applies the code colors the host sends; the style sheet has defaults for the others. */
export function listenToCodeColours(host: ChatHost): void {
  const { style } = document.body;
  host.on('chat/codeColours', ({ colours }) => {
    const set = Array.from(style).filter((name) => name.startsWith(prefix));
    for (const name of set) style.removeProperty(name);
    for (const [part, colour] of Object.entries(colours)) style.setProperty(prefix + part, colour);
  });
}
