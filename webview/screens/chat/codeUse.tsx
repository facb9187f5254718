import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { type CodeAction, isShellLanguage } from '../../../src/protocol/codeActions';
import type { WireError } from '../../../src/protocol/wire';
import { createMenus, type MenuItem } from '../../components/menu';
import { Note } from '../../components/note';
import { type CodePress, codePressOf } from '../../markdown/codeBlocks';
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
    else use(chat, press, press.name);
  });
}

function menuItems(chat: Chat, press: CodePress): readonly MenuItem[] {
  const item = (label: string, action: CodeAction): MenuItem => ({ label, run: () => use(chat, press, action) });
  return [
    ...(press.hidden.includes('insert') ? [item(l10n.t('Insert at Cursor'), 'insert')] : []),
    ...(press.hidden.includes('replace') ? [item(l10n.t('Replace Selection…'), 'replace')] : []),
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
  tellAtCode(button, chat);
  void chat.session.useCode({ turnId, action, code, language }).then((error) => tellAtCode(button, chat, error, act));
}

/** Shows below a code block why a button's action failed, with buttons that call `act`. Without `error`, removes that note. */
function tellAtCode(button: HTMLElement, chat: Chat, error?: WireError, act?: (action: string) => void): void {
  const { announcer } = chat;
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
    tellAtCode(button, chat);
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

/** Applies the code colours the host sends; the style sheet has defaults for the others. */
export function listenToCodeColours(host: ChatHost): void {
  const { style } = document.body;
  host.on('chat/codeColours', ({ colours }) => {
    const set = Array.from(style).filter((name) => name.startsWith(prefix));
    for (const name of set) style.removeProperty(name);
    for (const [part, colour] of Object.entries(colours)) style.setProperty(prefix + part, colour);
  });
}
