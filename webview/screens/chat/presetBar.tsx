import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ParameterPreset } from '../../../src/protocol/chatParameters';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import type { Chat } from './chatContext';

/** Presets: one is chosen, which applies it; what is set can be saved as one; the one chosen can be renamed and deleted. */
export function PresetBar({ chat }: { readonly chat: Chat }) {
  const { session, strings, announcer } = chat;
  const { parameters } = session;
  const presets = parameters.state.value?.presets ?? [];
  const chosenId = useSignal('');
  const naming = useSignal<'save' | 'rename' | undefined>(undefined);
  const bar = useRef<HTMLDivElement>(null);
  const chosen = presets.find((preset) => preset.id === chosenId.value);
  const refocus = () => requestAnimationFrame(() => bar.current?.querySelector<HTMLElement>('button, select')?.focus());

  const apply = async (id: string) => {
    chosenId.value = id;
    if (id !== '' && (await parameters.applyPreset(id))) announcer.say(strings.presetApplied);
  };
  const nameIt = async (name: string) => {
    const isDone =
      naming.peek() === 'rename' && chosen
        ? await parameters.renamePreset(chosen.id, name)
        : await parameters.savePreset(name);
    if (!isDone) return;
    chosenId.value = parameters.state.peek()?.presets.find((preset) => preset.name === name)?.id ?? '';
    naming.value = undefined;
    refocus();
  };
  const remove = async () => {
    if (chosen && (await parameters.deletePreset(chosen.id))) announcer.say(fill(strings.presetDeleted, chosen.name));
    chosenId.value = '';
    refocus();
  };

  if (naming.value) {
    return (
      <PresetName
        chat={chat}
        name={naming.value === 'rename' ? (chosen?.name ?? '') : ''}
        onName={(name) => void nameIt(name)}
        onCancel={() => {
          naming.value = undefined;
          refocus();
        }}
      />
    );
  }
  return (
    <div class="presets" ref={bar}>
      {presets.length > 0 && (
        <PresetChoice chat={chat} presets={presets} chosen={chosen} onChoose={(id) => void apply(id)} />
      )}
      {chosen && (
        <>
          <IconButton icon="edit" label={strings.renamePreset} onClick={() => (naming.value = 'rename')} />
          <IconButton icon="trash" label={strings.deletePreset} onClick={() => void remove()} />
        </>
      )}
      <button type="button" class="link preset-save" onClick={() => (naming.value = 'save')}>
        {strings.savePreset}
      </button>
    </div>
  );
}

interface PresetChoiceProps {
  readonly chat: Chat;
  readonly presets: readonly ParameterPreset[];
  readonly chosen: ParameterPreset | undefined;
  readonly onChoose: (id: string) => void;
}

function PresetChoice({ chat: { strings }, presets, chosen, onChoose }: PresetChoiceProps) {
  return (
    <select
      class="parameter-input preset-choice"
      aria-label={strings.presets}
      value={chosen?.id ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{strings.choosePreset}</option>
      {presets.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface PresetNameProps {
  readonly chat: Chat;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}

function PresetName({ chat: { strings }, name, onName, onCancel }: PresetNameProps) {
  const typed = useSignal(name);
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  const isEmpty = typed.value.trim() === '';
  const done = () => !isEmpty && onName(typed.peek().trim());
  return (
    <div class="presets">
      <label class="spoken" for={id}>
        {strings.presetName}
      </label>
      <input
        id={id}
        ref={box}
        class="parameter-input preset-choice"
        type="text"
        maxLength={100}
        autocomplete="off"
        placeholder={strings.presetName}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') done();
          else onCancel();
        }}
      />
      <IconButton icon="check" label={strings.keepPresetName} onClick={done} />
      <IconButton icon="close" label={strings.cancel} onClick={onCancel} />
    </div>
  );
}
