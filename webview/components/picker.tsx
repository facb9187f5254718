import { useSignal, useSignalEffect } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon';
import type { IconName } from './iconNames';
import './picker.css';
import { SearchBox } from './searchBox';
import { matching, nextIndex, type PickerItem } from './pickerItems';

export interface PickerWords {
  readonly search: string;
  readonly noMatch: string;
  /** The option that takes what was typed and is no item, and the heading above it where there are items. */
  readonly useTyped: (text: string) => string;
  readonly unlisted: string;
}

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
  /** Shown in the list if there is nothing to choose from and nothing is typed. */
  readonly emptyText: string;
  readonly onChoose: (id: string) => void;
}

/** A button that opens a searchable list above it. Fully operable by keyboard; Escape and a click outside close it. */
export function Picker({ label, title, icon, items, chosen, open, words, emptyText, onChoose }: PickerProps) {
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useCloseOutside(root, open);
  const close = () => {
    open.value = false;
    button.current?.focus();
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
        <Popup
          items={items}
          chosen={chosen}
          words={words}
          emptyText={emptyText}
          close={close}
          onChoose={(id) => {
            close();
            onChoose(id);
          }}
        />
      )}
    </div>
  );
}

type PopupProps = Pick<PickerProps, 'items' | 'chosen' | 'words' | 'emptyText' | 'onChoose'> & {
  readonly close: () => void;
};

function Popup({ items, chosen, words, emptyText, close, onChoose }: PopupProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const query = useSignal('');
  const active = useSignal(
    Math.max(
      0,
      items.findIndex((item) => item.id === chosen),
    ),
  );
  const shown = optionsFor(items, query.value.trim(), words);

  useSignalEffect(() => {
    list.current?.querySelector(`[data-index="${active.value}"]`)?.scrollIntoView({ block: 'nearest' });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const moved = nextIndex(event.key, active.value, shown.length);
    if (moved !== undefined) active.value = moved;
    else if (event.key === 'Enter') {
      const item = shown[active.value];
      if (item) onChoose(item.id);
    } else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') return close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="picker-popup">
      <SearchBox
        listId={id}
        activeId={shown.length > 0 ? `${id}-${active.value}` : undefined}
        label={words.search}
        query={query}
        onInput={() => (active.value = 0)}
        onKeyDown={onKeyDown}
      />
      <div class="picker-list" role="listbox" id={id} aria-label={words.search} ref={list}>
        {shown.map((item, index) => (
          <Option
            key={item.id}
            item={item}
            index={index}
            id={`${id}-${index}`}
            heading={item.group === shown[index - 1]?.group ? undefined : item.group}
            active={index === active.value}
            chosen={item.id === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
      {shown.length === 0 && <p class="picker-empty">{items.length === 0 ? emptyText : words.noMatch}</p>}
    </div>
  );
}

/** The items that match, and behind them what was typed if it can be the id of another. */
function optionsFor(items: readonly PickerItem[], typed: string, words: PickerWords): readonly PickerItem[] {
  const found = matching(items, typed);
  if (!/^\S+$/.test(typed) || items.some(({ id }) => id === typed)) return found;
  const group = items.length > 0 ? words.unlisted : '';
  return [...found, { id: typed, name: words.useTyped(typed), detail: '', group }];
}

interface OptionProps {
  readonly item: PickerItem;
  readonly index: number;
  readonly id: string;
  /** Heading of the group that begins with this option. */
  readonly heading: string | undefined;
  readonly active: boolean;
  readonly chosen: boolean;
  readonly onChoose: (id: string) => void;
}

function Option({ item, index, id, heading, active, chosen, onChoose }: OptionProps) {
  return (
    <>
      {heading && (
        <div class="picker-heading" role="presentation">
          {heading}
        </div>
      )}
      <div
        id={id}
        data-index={index}
        class={`picker-option${active ? ' picker-active' : ''}`}
        role="option"
        aria-selected={chosen}
        title={item.id}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(item.id)}
      >
        <span class="picker-mark">{chosen && <Icon name="check" />}</span>
        <span class="picker-name">{item.name}</span>
        {item.detail && <span class="picker-detail">{item.detail}</span>}
      </div>
    </>
  );
}

function useCloseOutside(root: { readonly current: HTMLElement | null }, open: Signal<boolean>): void {
  useEffect(() => {
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) open.value = false;
    };
    const closeOnBlur = () => (open.value = false);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    window.addEventListener('blur', closeOnBlur);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      window.removeEventListener('blur', closeOnBlur);
    };
  }, [root, open]);
}
