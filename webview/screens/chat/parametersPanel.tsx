import { useEffect } from 'preact/hooks';
import { PresetBar } from '../../components/presetBar';
import type { Chat } from './chatContext';
import { ChatNumber, ChatStops, ChatText } from './parameterFields';

/** The parameters of every question in this conversation. An empty field is not sent; `max_tokens` has a default. */
export function ParametersPanel({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  useEffect(() => () => void session.parameters.settle(), [session]);
  return (
    <>
      <PresetBar
        presets={() => session.parameters.state.value?.presets ?? []}
        actions={session.parameters}
        say={(text) => chat.announcer.say(text)}
      />
      <ChatText chat={chat} name="system" label={strings.systemPrompt} rows={3} />
      <div class="parameters-numbers">
        <ChatNumber chat={chat} name="max_tokens" placeholder={undefined} />
        <ChatNumber chat={chat} name="temperature" placeholder={strings.notSet} />
        <ChatNumber chat={chat} name="top_p" placeholder={strings.notSet} />
        <ChatNumber chat={chat} name="top_k" placeholder={strings.notSet} />
      </div>
      <ChatStops chat={chat} />
      <ChatText chat={chat} name="prefill" label={strings.startWith} rows={2} />
    </>
  );
}
