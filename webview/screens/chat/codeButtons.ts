import * as l10n from '@vscode/l10n';
import { type CodeAction, isShellLanguage } from '../../../src/protocol/codeActions';
import { createMenus, type MenuItem } from '../../components/menu';
import { type CodePress, codePressOf } from '../../markdown/codeBlocks';
import type { Chat } from './chatContext';
import { tellAtCode } from './codeNote';

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
    ...(press.hidden.includes('insert') ? [item(l10n.t('Insert at the cursor'), 'insert')] : []),
    ...(press.hidden.includes('replace') ? [item(l10n.t('Replace the selection…'), 'replace')] : []),
    item(l10n.t('New file'), 'newFile'),
    ...(isShellLanguage(press.language) ? [item(l10n.t('Run in terminal…'), 'run')] : []),
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
