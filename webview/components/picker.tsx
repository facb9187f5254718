import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { closeOutside } from './closeOutside';
import { Icon } from './icon';
import type { IconName } from './iconNames';
import type { PickerItem } from './pickerItems';
import { PickerList, type PickerWords } from './pickerList';

export interface PickerProps {
  /** The button's text: the chosen item, or that none is chosen. */
  readonly label: string;
  /** The button's tooltip: the chosen item in full. */
  readonly title: string;
  /** Shown before the label if the chosen item needs a remark. */
  readonly icon: IconName | undefined;
  readonly items: readonly PickerItem[];
  readonly chosen: string | undefined;
  readonly open: Signal<boolean>;
  readonly words: PickerWords;
  readonly onChoose: (id: string) => void;
}

/** A button that opens a searchable list above it. Fully operable by keyboard; Escape and a click outside close it. */
export function Picker({ label, title, icon, items, chosen, open, words, onChoose }: PickerProps) {
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => closeOutside(root, open), [open]);
  useEffect(() => {
    const closeOnBlur = () => (open.value = false);
    window.addEventListener('blur', closeOnBlur);
    return () => window.removeEventListener('blur', closeOnBlur);
  }, [open]);
  const close = () => {
    open.value = false;
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return;
    close();
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="picker" ref={root}>
      <button
        ref={button}
        type="button"
        class="picker-button"
        title={title}
        aria-haspopup="listbox"
        aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          open.value = true;
        }}
      >
        {icon && <Icon name={icon} />}
        <span class="picker-label">{label}</span>
        <Icon name="chevron-down" />
      </button>
      {open.value && (
        <div class="picker-popup" onKeyDown={onKeyDown}>
          <PickerList
            items={items}
            chosen={chosen === undefined ? [] : [chosen]}
            words={words}
            onChoose={(id) => {
              close();
              onChoose(id);
            }}
          />
        </div>
      )}
    </div>
  );
}
