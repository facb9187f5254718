import * as l10n from '@vscode/l10n';
import { ListField } from '../../components/listField';
import { NumberField, TextField } from '../../components/parameterFields';
import type { FieldNoteProps } from '../../components/parameter';
import type { Chat } from './chatContext';

interface TextProps {
  readonly chat: Chat;
  readonly name: 'system' | 'prefill';
  readonly label: string;
  readonly rows: number;
}

export function ChatText({ chat, name, label, rows }: TextProps) {
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

/** The parameters that are numbers, as the host lists them. */
export function ChatNumbers({ chat }: { readonly chat: Chat }) {
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
          hint={defaults[name] === undefined ? (hints[name] ?? '') : l10n.t('default: {0}', defaults[name])}
          note={noteOf(chat, name)}
          onInput={(typed) => parameters.editNumber(name, typed)}
        />
      ))}
    </div>
  );
}

export function ChatStops({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  return (
    <ListField
      words={{
        label: l10n.t('Stop sequences'),
        hint: l10n.t('An answer ends where one occurs. Write a line break as \\n, a tab as \\t.'),
        entry: (number) => l10n.t('Stop sequence {0}', number),
        add: l10n.t('Add a stop sequence'),
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
      ? { text: refusal, again: l10n.t('Send it again'), sendAgain: () => void parameters.sendAgain(name) }
      : undefined,
  };
}
