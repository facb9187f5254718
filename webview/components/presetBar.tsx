import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './iconButton';
import './parameters.css';
import { focusIfActive } from './focus';

export interface Preset {
  readonly id: string;
  readonly name: string;
}

/** Each resolves with whether it succeeded; the reason for a failure is shown elsewhere. */
export interface PresetActions {
  applyPreset(id: string): Promise<boolean>;
  savePreset(name: string): Promise<boolean>;
  renamePreset(id: string, name: string): Promise<boolean>;
  deletePreset(id: string): Promise<boolean>;
}

export interface PresetBarProps {
  /** Read at each render, and after saving to find the new preset. */
  readonly presets: () => readonly Preset[];
  readonly actions: PresetActions;
  /** Announces a text to screen readers. */
  readonly say: (text: string) => void;
}

/** Chooses and applies a preset, saves the current values as a preset, and renames or deletes the chosen one. */
export function PresetBar({ presets, actions, say }: PresetBarProps) {
  const offered = presets();
  const chosenId = useSignal('');
  const naming = useSignal<'save' | 'rename' | undefined>(undefined);
  const bar = useRef<HTMLDivElement>(null);
  const chosen = offered.find((preset) => preset.id === chosenId.value);
  const refocus = () =>
    requestAnimationFrame(() => focusIfActive(bar.current?.querySelector<HTMLElement>('button, select')));

  const apply = async (id: string) => {
    chosenId.value = id;
    if (id !== '' && (await actions.applyPreset(id))) say(l10n.t('Preset applied.'));
  };
  const nameIt = async (name: string) => {
    const isDone =
      naming.peek() === 'rename' && chosen
        ? await actions.renamePreset(chosen.id, name)
        : await actions.savePreset(name);
    if (!isDone) return;
    chosenId.value = presets().find((preset) => preset.name === name)?.id ?? '';
    naming.value = undefined;
    refocus();
  };
  const remove = async () => {
    if (chosen && (await actions.deletePreset(chosen.id))) say(l10n.t('Preset {0} deleted.', chosen.name));
    chosenId.value = '';
    refocus();
  };

  if (naming.value) {
    return (
      <PresetName
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
      {offered.length > 0 && <PresetChoice presets={offered} chosen={chosen} onChoose={(id) => void apply(id)} />}
      {chosen && (
        <>
          <IconButton icon="edit" label={l10n.t('Rename Preset')} onClick={() => (naming.value = 'rename')} />
          <IconButton icon="trash" label={l10n.t('Delete Preset')} onClick={() => void remove()} />
        </>
      )}
      <button type="button" class="link preset-save" onClick={() => (naming.value = 'save')}>
        {l10n.t('Save as Preset')}
      </button>
    </div>
  );
}

interface PresetChoiceProps {
  readonly presets: readonly Preset[];
  readonly chosen: Preset | undefined;
  readonly onChoose: (id: string) => void;
}

function PresetChoice({ presets, chosen, onChoose }: PresetChoiceProps) {
  return (
    <select
      class="parameter-input preset-choice"
      aria-label={l10n.t('Presets')}
      title={chosen?.name ?? l10n.t('Presets')}
      value={chosen?.id ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{l10n.t('Apply Preset…')}</option>
      {presets.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface PresetNameProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}

function PresetName({ name, onName, onCancel }: PresetNameProps) {
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
        {l10n.t('Preset name')}
      </label>
      <input
        id={id}
        ref={box}
        class="parameter-input preset-choice"
        type="text"
        dir="auto"
        maxLength={100}
        autocomplete="off"
        placeholder={l10n.t('Preset name')}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') done();
          else onCancel();
        }}
      />
      <IconButton icon="check" label={l10n.t('Save Name')} onClick={done} />
      <IconButton icon="close" label={l10n.t('Cancel')} onClick={onCancel} />
    </div>
  );
}
