import './chat.css';
import * as l10n from '@vscode/l10n';
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { ChatScreen } from '../../../src/protocol/chat';
import { createAnnouncer } from '../../components/announcer';
import { listenToLinks } from '../../components/outsideLinks';
import type { Host } from '../../host';
import { CodeColours } from '../../markdown/codeColours';
import { createMarkdownRenderer } from '../../markdown/renderer';
import type { Chat } from './chatContext';
import { announceColumns } from './compare/announceColumns';
import { isRunning } from './conversation';
import { ChatPage } from './chatPage';
import { listenToCode, listenToCodeColours } from './codeUse';
import { ChatSession } from './session';
import { endWords } from './spoken';
import { announceWaiting } from './tools/waitsForYou';

export function mountChat(root: HTMLElement, host: Host<ChatScreen>): void {
  const session = new ChatSession(host);
  const page = document.createElement('main');
  page.className = 'chat';
  root.append(page);
  const chat: Chat = {
    session,
    renderer: createMarkdownRenderer(),
    colours: new CodeColours(),
    announcer: createAnnouncer(root),
    now: () => Date.now(),
  };
  render(<ChatPage chat={chat} />, page);
  listenToLinks(page, (url) => void session.openLink(url));
  listenToCode(page, chat);
  announceEnds(chat);
  announceColumns(chat);
  announceWaiting(chat);
  listenToCodeColours(host);
  host.on('chat/showConversations', () => session.list.toggle());
  host.on('chat/focusComposer', () => {
    // What the list covers cannot have the focus; the box gets it when the list closes.
    session.list.close();
    page.querySelector<HTMLElement>('.composer-text')?.focus();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void session.refresh();
  });
  listenToFocus(host, session);
  void session.refresh();
}

/** Reports focus, because commands act on the page that had it last. Saves the draft on blur, because another page may need it. */
function listenToFocus(host: Host<ChatScreen>, { draft }: Chat['session']): void {
  const tell = () => void host.call('chat/used', {}).catch(() => undefined);
  window.addEventListener('focus', tell);
  window.addEventListener('blur', () => draft.flush());
  if (document.hasFocus()) tell();
}

/** Announces when an answer has ended, and how. */
function announceEnds({ session, announcer }: Chat): void {
  let last = session.running.peek();
  effect(() => {
    const running = session.running.value;
    if (running === last) return;
    // Compared answers are announced one by one.
    if (running?.comparison?.columns.length || last?.comparison?.columns.length) return void (last = running);
    if (running) announcer.say(l10n.t('{0} is answering.', running.facts.peek().model));
    else if (last && !isRunning(last.facts.peek())) {
      const end = endWords(last.facts.peek());
      // Announced after the last block of the answer, which the same change draws and announces.
      queueMicrotask(() => announcer.say(end));
    }
    last = running;
  });
}
