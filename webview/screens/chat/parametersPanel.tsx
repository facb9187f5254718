import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { PresetBar } from '../../components/presetBar';
import type { Chat } from './chatContext';
import { ChatNumbers, ChatStops, ChatText } from './parameterFields';

/** The parameters of every question in this conversation. An empty field is not sent; `max_tokens` has a default. */
export function ParametersPanel({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  useEffect(() => () => void session.parameters.settle(), [session]);
  return (
    <>
      <PresetBar
        presets={() => session.parameters.state.value?.presets ?? []}
        actions={session.parameters}
        say={(text) => chat.announcer.say(text)}
      />
      <ChatText chat={chat} name="system" label={l10n.t('System prompt')} rows={3} />
      <ChatNumbers chat={chat} />
      <ChatStops chat={chat} />
      <ChatText chat={chat} name="prefill" label={l10n.t('Start each answer with…')} rows={2} />
    </>
  );
}
