import * as l10n from '@vscode/l10n';
import { maxAttachedCharacters } from '../../../src/protocol/chatBounds';
import type { DroppedFile } from '../../../src/protocol/chatOffers';
import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles } from '../../components/droppedFiles';
import { DropTarget } from '../../components/dropTarget';
import type { Chat } from './chatContext';
import { Composer } from './composer';
import { ConversationsPanel } from './conversationsPanel';
import { Log } from './log';
import { SignedOut, SignedOutBar } from './welcome';

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
            <Log chat={chat} />
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
  if (isFolder) return { name, problem: 'folder' };
  // A character takes at most four bytes.
  if (file.size > maxAttachedCharacters * 4) return { name, problem: 'tooLong' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.length > maxAttachedCharacters ? { name, problem: 'tooLong' } : { name, text };
  } catch {
    return { name, problem: 'notText' };
  }
}
