import * as l10n from '@vscode/l10n';
import { DropTarget } from '../../components/dropTarget';
import type { Chat } from './chatContext';
import { Composer } from './composer';
import { ConversationsPanel } from './conversationsPanel';
import { Log } from './log';
import { SignedOut, SignedOutBar } from './welcome';
import { readDropped } from './droppedData';

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
          text={l10n.t('Drop to add to the question')}
          onDrop={(data) => void readDropped(data).then((dropped) => chat.session.offers.drop(dropped))}
        />
      )}
      {session.list.isOpen.value && <ConversationsPanel chat={chat} />}
    </>
  );
}
