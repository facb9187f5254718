import './chat.css';
import * as l10n from '@vscode/l10n';
import { effect, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ChatScreen } from '../../../src/protocol/chat';
import type { PendingFileView } from '../../../src/protocol/chatEdits';
import { createAnnouncer } from '../../components/announcer';
import { Icon } from '../../components/icon';
import { listenToLinks } from '../../components/outsideLinks';
import type { Host } from '../../host';
import { CodeColours } from '../../markdown/codeColours';
import { createMarkdownRenderer } from '../../markdown/renderer';
import type { Chat } from './chatContext';
import './editsBar.css';
import { announceColumns, endWords } from './spoken';
import { isRunning } from './conversation';
import { listenToCode, listenToCodeColours } from './codeUse';
import { ChatSession } from './session';
import { announceWaiting } from './tools/waitsForYou';
import {
  imageTypes,
  maxAttachedCharacters,
  maxDroppedBytes,
  maxImageBytes,
  maxImageSide,
  maxScaledBytes,
} from '../../../src/protocol/chatBounds';
import type { DroppedFile } from '../../../src/protocol/chatOffers';
import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles, toBase64, toBytes } from '../../components/droppedFiles';
import { DropTarget } from '../../components/dropTarget';
import { focusIfActive } from '../../components/focus';
import { IconButton } from '../../components/iconButton';
import { Composer } from './composer';
import { ConversationsPanel } from './conversationsPanel';
import { Log } from './log';
import { SignedOut, SignedOutBar } from './welcome';

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
    // Covered content can't have the focus. The box gets it when the list closes.
    session.list.close();
    // It can come late, when the user has opened a panel of the bar, which closes when it loses the focus.
    if (document.hasFocus() && document.activeElement?.closest('.bar-panel')) return;
    page.querySelector<HTMLElement>('.composer-text')?.focus();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void session.refresh();
  });
  listenToFocus(host, session);
  listenToPaste(chat);
  host.on('chat/scaleImage', ({ name, base64 }) => {
    void readImage(name, new Blob([toBytes(base64)])).then((file) => session.offers.drop({ uris: [], files: [file] }));
  });
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

export function ChatPage({ chat }: { readonly chat: Chat }) {
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
            <Title chat={chat} />
            <Log chat={chat} />
            <EditsBar chat={chat} />
            {page?.account === 'signedOut' ? <SignedOutBar chat={chat} /> : <Composer chat={chat} />}
          </>
        )}
      </div>
      {page?.account === 'ready' && (
        <DropTarget
          icon="attach"
          text={l10n.t('Drop to attach')}
          onDrop={(data) => void readDropped(data).then((dropped) => chat.session.offers.drop(dropped))}
        />
      )}
      {session.list.isOpen.value && <ConversationsPanel chat={chat} />}
    </>
  );
}

/** The conversation's name, and a link back to the list of all. Shown after the first question. */
function Title({ chat: { session } }: { readonly chat: Chat }) {
  const [first] = session.conversation.turns.value;
  if (!first) return null;
  const title = session.page.value?.title ?? first.question;
  return (
    <div class="chat-title">
      <IconButton icon="arrow-left" label={l10n.t('Show Conversations')} onClick={() => session.list.toggle()} />
      <span class="chat-title-text" dir="auto" title={title}>
        {title}
      </span>
    </div>
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

/** `undefined` if the bytes are not UTF-8 text. */
function decode(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The end of a long name has the extension. */
const nameOf = ({ name }: File): string => name.slice(-300) || '?';

async function readDroppedFile(file: File, isFolder: boolean): Promise<DroppedFile> {
  const name = nameOf(file);
  if (isFolder) return { name, problem: 'folder' };
  if (isImage(file)) return readImage(name, file);
  if (file.size > maxDroppedBytes) return { name, problem: 'tooLong' };
  try {
    const text = decode(await file.arrayBuffer());
    if (text === undefined) return { name, base64: await toBase64(file) };
    return text.length > maxAttachedCharacters ? { name, problem: 'tooLong' } : { name, text };
  } catch {
    return { name, problem: 'notText' };
  }
}

/** SVG is text. */
const isImage = ({ type }: Blob): boolean => type.startsWith('image/') && type !== 'image/svg+xml';

/** Scales the image down if it is too large, and converts it if services don't accept its type. */
async function readImage(name: string, file: Blob): Promise<DroppedFile> {
  if (file.size > maxScaledBytes) return { name, problem: 'imageTooLarge' };
  const drawn = await createImageBitmap(file).catch(() => undefined);
  if (!drawn) return { name, problem: 'noImage' };
  const isAccepted = imageTypes.includes(file.type) && file.size <= maxImageBytes;
  if (isAccepted && Math.max(drawn.width, drawn.height) <= maxImageSide) return { name, image: await toBase64(file) };
  for (const side of scaledSides) {
    for (const type of ['image/png', 'image/jpeg'] as const) {
      const scaled = await toScaled(drawn, side, type);
      if (scaled && scaled.size <= maxImageBytes) return { name, image: await toBase64(scaled) };
    }
  }
  return { name, problem: 'imageTooLarge' };
}

/** The longest side in pixels. Models that read images scale larger ones down to about the first. */
const scaledSides = [2048, 1024];

/** Resolves with `null` if the browser can't do it. */
function toScaled(image: ImageBitmap, side: number, type: 'image/png' | 'image/jpeg'): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const drawing = canvas.getContext('2d');
  if (drawing && type === 'image/jpeg') {
    // It has no transparency, which would become black.
    drawing.fillStyle = '#fff';
    drawing.fillRect(0, 0, canvas.width, canvas.height);
  }
  drawing?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.9));
}

/**
 * Attaches files that are pasted anywhere but into another field. Text wins over the image of it that spreadsheets and word processors copy
 * as well.
 */
function listenToPaste({ session }: Chat): void {
  document.addEventListener('paste', (event) => {
    const { clipboardData: data, target } = event;
    const isOtherField = target instanceof Element && target.closest('input, textarea:not(.composer-box *)') !== null;
    if (!data || isOtherField || session.page.peek()?.account !== 'ready') return;
    const files = droppedFiles(data, maxDropped);
    const isText = data.types.includes('text/plain') && data.types.includes('text/html');
    if (files.length === 0 || isText) return;
    event.preventDefault();
    const names = new Set(session.attachments.chips.peek().map(({ label }) => label));
    void Promise.all(
      files.map(async ({ file, isFolder }) => {
        const read = await readDroppedFile(file, isFolder);
        return { ...read, name: isImage(file) ? pastedName(file, names) : read.name };
      }),
    ).then((read) => session.offers.drop({ uris: [], files: read }));
  });
}

/** Browsers call every image of the clipboard "image.png". */
function pastedName(file: File, names: Set<string>): string {
  if (file.name !== 'image.png') return nameOf(file);
  for (let count = 1; ; count++) {
    const free = count === 1 ? l10n.t('Pasted image') : l10n.t('Pasted image {0}', String(count));
    if (names.has(free)) continue;
    names.add(free);
    return free;
  }
}

/** The pending changes of answers in files, with **Keep** and **Undo** for all of them. Renders nothing without changes. */
function EditsBar({ chat: { session, announcer } }: { readonly chat: Chat }) {
  const { host } = session;
  const files = useSignal<readonly PendingFileView[]>([]);
  useEffect(() => {
    const listening = host.on('chat/editsChanged', ({ files: changed }) => (files.value = changed));
    void host.call('chat/pendingEdits', {}).then(
      (answer) => (files.value = answer.files),
      () => undefined,
    );
    return listening;
  }, [host, files]);
  const all = files.value;
  const [first] = all;
  const label =
    all.length === 1
      ? l10n.t('{0} changed', first?.path.split('/').at(-1) ?? '')
      : l10n.t('{0} files changed', String(all.length));
  useEffect(() => {
    if (first) announcer.say(label);
  }, [label]);
  if (!first) return null;
  const added = all.reduce((sum, file) => sum + file.added, 0);
  const removed = all.reduce((sum, file) => sum + file.removed, 0);
  const decide = async (call: 'chat/keepEdits' | 'chat/undoEdits', done: string) => {
    if (!(await session.attempt(host.call(call, {})))) return;
    announcer.say(done);
    // The bar goes away with its buttons.
    focusIfActive(document.querySelector<HTMLElement>('.composer-box .composer-text'));
  };
  return (
    <div class="edits-bar" role="group" aria-label={l10n.t('Changes in files')}>
      <button
        type="button"
        class="edits-files"
        title={all.map(({ path, ...lines }) => `${path} +${lines.added} −${lines.removed}`).join('\n')}
        onClick={() => void session.attempt(host.call('chat/showEdits', {}))}
      >
        <Icon name="diff" />
        <span class="edits-label">{label}</span>
        <span class="edits-counts">
          <span class="md-added">+{added}</span> <span class="md-removed">−{removed}</span>
        </span>
      </button>
      <button
        type="button"
        class="edits-button edits-keep"
        onClick={() => void decide('chat/keepEdits', l10n.t('Changes kept'))}
      >
        {l10n.t('Keep')}
      </button>
      <button
        type="button"
        class="edits-button"
        onClick={() => void decide('chat/undoEdits', l10n.t('Changes undone'))}
      >
        {l10n.t('Undo')}
      </button>
    </div>
  );
}
