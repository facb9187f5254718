import type { ParameterField } from '../../../src/protocol/chatParameters';
import { fill } from '../../components/fill';
import { ListField } from '../../components/listField';
import { NumberField, TextField } from '../../components/parameterFields';
import type { FieldNoteProps } from '../../components/parameter';
import type { Chat } from './chatContext';

interface FieldProps<Name extends ParameterField> {
  readonly chat: Chat;
  readonly name: Name;
}

type TextProps = FieldProps<'system' | 'prefill'> & { readonly label: string; readonly rows: number };

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

type NumberProps = FieldProps<'max_tokens' | 'temperature' | 'top_p' | 'top_k'> & {
  /** Says what an empty field means; `undefined` if the hint says it. */
  readonly placeholder: string | undefined;
};

export function ChatNumber({ chat, name, placeholder }: NumberProps) {
  const { session, strings } = chat;
  const { parameters } = session;
  const hint = parameters.state.value?.hints[name] ?? '';
  return (
    <NumberField
      label={name}
      value={parameters.form.value?.[name] ?? ''}
      placeholder={placeholder ?? strings.defaultSent}
      hint={placeholder === undefined ? fill(strings.defaultValue, hint) : hint}
      note={noteOf(chat, name)}
      onInput={(value) => parameters.edit({ [name]: value })}
    />
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

function noteOf({ session: { parameters }, strings }: Chat, name: ParameterField): FieldNoteProps {
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
