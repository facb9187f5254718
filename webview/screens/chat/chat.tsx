import { effect } from '@preact/signals';
import { render } from 'preact';
import type { ChatScreen } from '../../../src/protocol/chat';
import type { ChatStrings } from '../../../src/protocol/chatStrings';
import { createAnnouncer } from '../../components/announcer';
import { fill } from '../../components/fill';
import type { Host } from '../../host';
import { createMarkdownRenderer } from '../../markdown/renderer';
import './chat.css';
import type { Chat } from './chatContext';
import { ChatPage } from './chatPage';
import { listenToCode } from './codeButtons';
import { isRunning } from './conversation';
import type { AnswerFacts } from './facts';
import { createSession } from './session';

export function mountChat(root: HTMLElement, host: Host<ChatScreen>): void {
  const { strings } = host;
  const session = createSession(host);
  const page = document.createElement('main');
  page.className = 'chat';
  root.append(page);
  const chat: Chat = {
    session,
    strings,
    renderer: createMarkdownRenderer(strings),
    announcer: createAnnouncer(root),
    now: () => Date.now(),
  };
  render(<ChatPage chat={chat} />, page);
  listenToLinks(page, chat);
  listenToCode(page, chat);
  announceEnds(chat);
  host.on('chat/showConversations', () => void session.list.open());
  host.on('chat/focusComposer', () => page.querySelector<HTMLElement>('.composer-text')?.focus());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void session.refresh();
  });
  void session.refresh();
}

/** Links stand in rendered Markdown, so they are listened to from above. */
function listenToLinks(page: HTMLElement, { session }: Chat): void {
  const openLink = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    // The editor opens whatever a default click asks for, other extensions' addresses included. The host decides.
    event.preventDefault();
    if (event.button === 0 || event.button === 1) void session.openLink(link.href);
  };
  page.addEventListener('click', openLink);
  page.addEventListener('auxclick', openLink);
}

function endWords({ state, error }: AnswerFacts, strings: ChatStrings): string {
  if (state === 'done') return strings.spokenDone;
  return state === 'failed' ? fill(strings.spokenFailed, error?.title ?? '') : strings.spokenStopped;
}

/** Says when an answer that was coming has ended, and how. */
function announceEnds({ session, strings, announcer }: Chat): void {
  let last = session.running.peek();
  effect(() => {
    const running = session.running.value;
    if (running === last) return;
    if (running) announcer.say(fill(strings.spokenAnswering, running.facts.peek().model));
    else if (last && !isRunning(last.facts.peek())) {
      const end = endWords(last.facts.peek(), strings);
      // Behind the last block of the answer, which is drawn, and so spoken, by the same change.
      queueMicrotask(() => announcer.say(end));
    }
    last = running;
  });
}
