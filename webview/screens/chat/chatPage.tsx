import type { Chat } from './chatContext';
import { Composer } from './composer';
import { Log } from './log';
import { SignedOut, SignedOutBar } from './welcome';

export function ChatPage({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const page = session.page.value;
  const isEmpty = session.conversation.turns.value.length === 0;
  if (page?.account === 'signedOut' && isEmpty) return <SignedOut chat={chat} />;
  return (
    <>
      <Log chat={chat} />
      {page?.account === 'signedOut' ? <SignedOutBar chat={chat} /> : <Composer chat={chat} />}
    </>
  );
}
