import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import type { BarAction } from '../../components/actionBar';
import { BarPanel } from '../../components/barPanel';
import type { Chat } from './chatContext';
import { useEffect } from 'preact/hooks';
import { PresetBar } from '../../components/presetBar';
import { ListField } from '../../components/listField';
import { ChoiceField, NumberField, TextField } from '../../components/parameterFields';
import type { FieldNoteProps } from '../../components/parameter';

const panelId = 'parameters-panel';

/** The bar action that shows how many parameters are set, and opens their panel. */
export function parametersAction({ session }: Chat): BarAction {
  const { open, state } = session.parameters;
  const { count = 0, issues = {} } = state.value ?? {};
  const isWrong = Object.keys(issues).length > 0;
  return {
    id: 'parameters',
    icon: 'settings',
    label: l10n.t('Parameters'),
    ...(count > 0 && { text: l10n.t('{0} set', pageNumber(count)) }),
    ...(isWrong && { warning: l10n.t("Parameters with invalid values aren't sent.") }),
    room: 'some',
    panel: { id: panelId, open },
    run: () => (open.value = !open.peek()),
  };
}

/** The parameters panel, while it is open. */
export function ParametersPopup({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { open, state } = session.parameters;
  if (!state.value) return null;
  return (
    <BarPanel
      action="parameters"
      id={panelId}
      open={open}
      title={l10n.t('Conversation parameters')}
      closeLabel={l10n.t('Close (Escape)')}
      focus="textarea"
    >
      <ParametersPanel chat={chat} />
    </BarPanel>
  );
}

/** The parameters of every question in this conversation. An empty field is not sent; `max_tokens` has a default. */
function ParametersPanel({ chat }: { readonly chat: Chat }) {
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
      <ChatThinking chat={chat} />
      <ChatNumbers chat={chat} />
      <ChatStops chat={chat} />
      <ChatText chat={chat} name="prefill" label={l10n.t('Start of each response')} rows={2} />
    </>
  );
}

interface TextProps {
  readonly chat: Chat;
  readonly name: 'system' | 'prefill';
  readonly label: string;
  readonly rows: number;
}

function ChatText({ chat, name, label, rows }: TextProps) {
  const { parameters } = chat.session;
  return (
    <TextField
      label={label}
      value={parameters.form.value?.[name] ?? ''}
      placeholder={l10n.t('not sent')}
      rows={rows}
      note={noteOf(chat, name)}
      onInput={(value) => parameters.edit({ [name]: value })}
    />
  );
}

/** Whether the model thinks first, if that can be set. */
function ChatThinking({ chat }: { readonly chat: Chat }) {
  const { parameters } = chat.session;
  const value = parameters.form.value?.enable_thinking;
  if (value === undefined) return null;
  return (
    <ChoiceField
      label="enable_thinking"
      value={value}
      choices={[
        { value: '', label: l10n.t('not sent') },
        { value: 'on', label: l10n.t('On') },
        { value: 'off', label: l10n.t('Off') },
      ]}
      note={noteOf(chat, 'enable_thinking')}
      onChoose={(chosen) => parameters.edit({ enable_thinking: chosen })}
    />
  );
}

/** The parameters that are numbers, as the host lists them. */
function ChatNumbers({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { parameters } = session;
  const { hints = {}, defaults = {} } = parameters.state.value ?? {};
  return (
    <div class="parameters-numbers">
      {Object.entries(parameters.form.value?.numbers ?? {}).map(([name, value]) => (
        <NumberField
          key={name}
          label={name}
          value={value}
          placeholder={defaults[name] === undefined ? l10n.t('not sent') : l10n.t('default')}
          hint={defaults[name] ? l10n.t('default: {0}', defaults[name]) : (hints[name] ?? '')}
          note={noteOf(chat, name)}
          onInput={(typed) => parameters.editNumber(name, typed)}
        />
      ))}
    </div>
  );
}

function ChatStops({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  return (
    <ListField
      words={{
        label: l10n.t('Stop sequences'),
        hint: l10n.t('Ends the response. Line break: \\n. Tab: \\t.'),
        entry: (number) => l10n.t('Stop sequence {0}', number),
        add: l10n.t('Add Stop Sequence'),
        remove: (entry) => l10n.t('Remove {0}', entry),
      }}
      entries={session.parameters.form.value?.stop_sequences ?? []}
      note={noteOf(chat, 'stop_sequences')}
      onChange={(entries) => session.parameters.edit({ stop_sequences: entries })}
    />
  );
}

function noteOf({ session: { parameters } }: Chat, name: string): FieldNoteProps {
  const { issues, warnings, notTaken } = parameters.state.value ?? {};
  const refusal = notTaken?.[name];
  return {
    issue: issues?.[name],
    warning: warnings?.[name],
    refusal: refusal
      ? { text: refusal, again: l10n.t('Send Again'), sendAgain: () => void parameters.sendAgain(name) }
      : undefined,
  };
}
