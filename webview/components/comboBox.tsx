import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import './comboBox.css';
import { IconButton } from './iconButton';
import { matching, nextIndex } from './pickerItems';
import type { PickerItem } from './pickerItems';

interface ListProps {
  readonly value: string;
  /** `undefined` until the items are known. */
  readonly items: readonly PickerItem[] | undefined;
  /** Called when the list opens, so that its items can be loaded. */
  readonly onOpen: () => void;
  readonly onChange: (value: string) => void;
}

export interface ComboBoxProps extends ListProps {
  readonly id: string;
  readonly words: { readonly show: string; readonly noMatch: string; readonly placeholder: string };
  readonly describedBy: string;
}

/** A field that takes any text, with a list of matching items below it. Fully operable by keyboard. */
export function ComboBox({ id, value, items, words, describedBy, onOpen, onChange }: ComboBoxProps) {
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { isOpen, active, shown, open, choose, type, onKeyDown } = useList({ value, items, onOpen, onChange }, () =>
    input.current?.focus(),
  );
  useOutside(root, () => (isOpen.value = false));
  const isSeen = isOpen.value && items !== undefined;
  return (
    <div class="combo" ref={root}>
      <input
        ref={input}
        id={id}
        class="combo-input"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isSeen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isSeen && active.value >= 0 ? `${id}-${active.value}` : undefined}
        aria-describedby={describedBy}
        placeholder={words.placeholder}
        value={value}
        onClick={open}
        onInput={({ currentTarget, isComposing }) => type(currentTarget.value, isComposing)}
        onCompositionEnd={({ currentTarget }) => type(currentTarget.value, false)}
        onKeyDown={onKeyDown}
      />
      <IconButton
        icon="chevron-down"
        label={words.show}
        tabIndex={-1}
        onClick={() => {
          if (isOpen.value) return choose(undefined);
          open();
          input.current?.focus();
        }}
      />
      {isSeen && <Popup id={id} shown={shown} value={value} active={active.value} words={words} onChoose={choose} />}
    </div>
  );
}

/** State of the list: the rows shown, the active one, and the keyboard handling. */
function useList({ value, items, onOpen, onChange }: ListProps, takeFocus: () => void) {
  const isOpen = useSignal(false);
  const active = useSignal(-1);
  /** Whether the user has typed since the list opened. Until then all items are shown. */
  const isTyped = useSignal(false);
  const shown = matching(items ?? [], isTyped.value ? value : '');
  const open = () => {
    if (isOpen.value) return;
    isTyped.value = false;
    active.value = -1;
    isOpen.value = true;
    onOpen();
  };
  const choose = (item: PickerItem | undefined) => {
    isOpen.value = false;
    if (item) onChange(item.id);
    takeFocus();
  };
  const type = (text: string, isComposing: boolean) => {
    open();
    isTyped.value = !isComposing;
    active.value = -1;
    onChange(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (!isOpen.value && !isArrow) return;
    const moved = nextIndex(event.key, active.value, shown.length);
    if (!isOpen.value) open();
    else if (moved !== undefined) active.value = moved;
    else if (event.key === 'Enter') choose(shown[active.value]);
    else if (event.key === 'Escape') isOpen.value = false;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { isOpen, active, shown, open, choose, type, onKeyDown };
}

interface PopupProps {
  readonly id: string;
  readonly shown: readonly PickerItem[];
  readonly value: string;
  /** -1 if none is active. */
  readonly active: number;
  readonly words: ComboBoxProps['words'];
  readonly onChoose: (item: PickerItem) => void;
}

function Popup({ id, shown, value, active, words, onChoose }: PopupProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div class="combo-popup">
      <div role="listbox" id={`${id}-list`} aria-label={words.show} ref={list}>
        {shown.map((item, index) => (
          <div
            key={item.id}
            id={`${id}-${index}`}
            data-index={index}
            class={index === active ? 'combo-option combo-active' : 'combo-option'}
            role="option"
            aria-selected={item.id === value}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(item)}
          >
            <span class="combo-name">{item.id}</span>
            {item.detail && <span class="combo-detail">{item.detail}</span>}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="combo-empty">{words.noMatch}</p>}
    </div>
  );
}

/** Calls `run` when an element outside `root` is pressed or focused. */
function useOutside(root: { readonly current: HTMLElement | null }, run: () => void): void {
  useEffect(() => {
    const look = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) run();
    };
    for (const name of ['pointerdown', 'focusin']) document.addEventListener(name, look);
    return () => {
      for (const name of ['pointerdown', 'focusin']) document.removeEventListener(name, look);
    };
  }, []);
}
