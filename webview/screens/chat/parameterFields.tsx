import { fill } from '../../components/fill';
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
      placeholder={chat.strings.notSet}
      rows={rows}
      note={noteOf(chat, name)}
      onInput={(value) => parameters.edit({ [name]: value })}
    />
  );
}

/** The parameters that are numbers, as the host lists them. */
export function ChatNumbers({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const { parameters } = session;
  const { hints = {}, defaults = {} } = parameters.state.value ?? {};
  return (
    <div class="parameters-numbers">
      {Object.entries(parameters.form.value?.numbers ?? {}).map(([name, value]) => (
        <NumberField
          key={name}
          label={name}
          value={value}
          placeholder={defaults[name] === undefined ? strings.notSet : strings.defaultSent}
          hint={defaults[name] === undefined ? (hints[name] ?? '') : fill(strings.defaultValue, defaults[name])}
          note={noteOf(chat, name)}
          onInput={(typed) => parameters.editNumber(name, typed)}
        />
      ))}
    </div>
  );
}

export function ChatStops({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  return (
    <ListField
      words={{
        label: strings.stopSequences,
        hint: strings.stopSequencesHint,
        entry: (number) => fill(strings.stopSequenceNumber, number),
        add: strings.addStopSequence,
        remove: (entry) => fill(strings.removeStopSequence, entry),
      }}
      entries={session.parameters.form.value?.stop_sequences ?? []}
      note={noteOf(chat, 'stop_sequences')}
      onChange={(entries) => session.parameters.edit({ stop_sequences: entries })}
    />
  );
}

function noteOf({ session: { parameters }, strings }: Chat, name: string): FieldNoteProps {
  const { issues, warnings, notTaken } = parameters.state.value ?? {};
  const refusal = notTaken?.[name];
  return {
    issue: issues?.[name],
    warning: warnings?.[name],
    refusal: refusal
      ? { text: refusal, again: strings.sendParameterAgain, sendAgain: () => void parameters.sendAgain(name) }
      : undefined,
  };
}
