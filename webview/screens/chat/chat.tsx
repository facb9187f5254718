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
import { createSession } from './session';
import { endWords } from './spoken';
import { announceWaiting } from './tools/waitsForYou';
import type { ChatHost } from './chatHost';
import { DropTarget } from '../../components/dropTarget';
import { Composer } from './composer';
import { ConversationsPanel } from './conversationsPanel';
import { Log } from './log';
import { SignedOut, SignedOutBar } from './welcome';
import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles } from '../../components/droppedFiles';
import { maxAttachedCharacters } from '../../../src/protocol/chatBounds';
import type { DroppedFile } from '../../../src/protocol/chatOffers';
import { type CodeAction, isShellLanguage } from '../../../src/protocol/codeActions';
import { createMenus, type MenuItem } from '../../components/menu';
import { type CodePress, codePressOf } from '../../markdown/codeBlocks';
import type { WireError } from '../../../src/protocol/wire';
import { Note } from '../../components/note';

export function mountChat(root: HTMLElement, host: Host<ChatScreen>): void {
  const session = createSession(host);
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
  host.on('chat/showConversations', () => void session.list.open());
  host.on('chat/focusComposer', () => page.querySelector<HTMLElement>('.composer-text')?.focus());
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

const prefix = '--desk-code-';

/** Applies the code colours the host sends; the style sheet has defaults for the others. */
function listenToCodeColours(host: Pick<ChatHost, 'on'>): void {
  const { style } = document.body;
  host.on('chat/codeColours', ({ colours }) => {
    const set = Array.from(style).filter((name) => name.startsWith(prefix));
    for (const name of set) style.removeProperty(name);
    for (const [part, colour] of Object.entries(colours)) style.setProperty(prefix + part, colour);
  });
}

function ChatPage({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const page = session.page.value;
  const isEmpty = session.conversation.turns.value.length === 0;
  return (
    <>
      <div class="chat-body" inert={session.list.isOpen.value}>
        {page?.account === 'signedOut' && isEmpty ? (
          <SignedOut chat={chat} />
        ) : (
          <>
            <Log chat={chat} />
            {page?.account === 'signedOut' ? <SignedOutBar chat={chat} /> : <Composer chat={chat} />}
          </>
        )}
      </div>
      {page?.account === 'ready' && (
        <DropTarget
          icon="attach"
          text={l10n.t('Drop to add to the question')}
          onDrop={(data) => void readDropped(data).then((dropped) => chat.session.offers.drop(dropped))}
        />
      )}
      {session.list.isOpen.value && <ConversationsPanel chat={chat} />}
    </>
  );
}

/** More than one question accepts; the host then reports that. */
const maxDropped = 25;

/** Returns the dropped URLs if there are any, else the contents of the dropped files. Call it while handling the drop. */
async function readDropped(
  data: DataTransfer,
): Promise<{ readonly uris: readonly string[]; readonly files: readonly DroppedFile[] }> {
  const uris = droppedAddresses(data);
  if (uris.length > 0) return { uris: uris.slice(0, maxDropped), files: [] };
  const files = droppedFiles(data, maxDropped);
  return { uris: [], files: await Promise.all(files.map(({ file, isFolder }) => readDroppedFile(file, isFolder))) };
}

async function readDroppedFile(file: File, isFolder: boolean): Promise<DroppedFile> {
  const name = file.name.slice(-300) || '?';
  if (isFolder) return { name, trouble: 'folder' };
  // A character takes at most four bytes.
  if (file.size > maxAttachedCharacters * 4) return { name, trouble: 'tooLong' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.length > maxAttachedCharacters ? { name, trouble: 'tooLong' } : { name, text };
  } catch {
    return { name, trouble: 'notText' };
  }
}

/** Handles the buttons of code blocks. Listens on the page, because the buttons are inside rendered Markdown. */
function listenToCode(page: HTMLElement, chat: Chat): void {
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
