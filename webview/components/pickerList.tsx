import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import './picker.css';
import { searchInput } from './composition';
import { Icon } from './icon';
import { matching, nextIndex, type PickerItem } from './pickerItems';

export interface PickerWords {
  readonly search: string;
  readonly noMatch: string;
  /** The option for typed text that isn't an item, and the heading above it if there are items. */
  readonly useTyped: (text: string) => string;
  readonly unlisted: string;
  /** In place of the list if there is nothing to choose from and nothing is typed. */
  readonly none: string;
}

export interface PickerListProps {
  readonly items: readonly PickerItem[];
  readonly chosen: readonly string[];
  /** Set if several may be chosen: whether no more may be. */
  readonly several?: { readonly isFull: boolean };
  readonly words: PickerWords;
  /** With `several`, also called for an item that is chosen, to undo that. */
  readonly onChoose: (id: string) => void;
}

/**
 * A searchable list. Typed text that isn't an item can be selected too, if it can be an ID. The search box has the focus: arrow keys move,
 * Enter selects, and other keys are left to the list's owner.
 */
export function PickerList({ items, chosen, several, words, onChoose }: PickerListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const query = useSignal('');
  const first = items.findIndex((item) => chosen.includes(item.id));
  const active = useSignal(Math.max(0, first));
  const shown = optionsFor(items, query.value.trim(), words);

  useSignalEffect(() => {
    list.current?.querySelector(`[data-index="${active.value}"]`)?.scrollIntoView({ block: 'nearest' });
  });

  return (
    <>
      <SearchBox
        listId={id}
        label={words.search}
        query={query}
        active={active}
        count={shown.length}
        onEnter={() => {
          const item = shown[active.value];
          if (item) onChoose(item.id);
        }}
      />
      <div
        class="picker-list"
        role="listbox"
        id={id}
        aria-label={words.search}
        aria-multiselectable={several !== undefined}
        ref={list}
      >
        {shown.map((item, index) => (
          <Option
            key={item.id}
            item={item}
            index={index}
            id={`${id}-${index}`}
            heading={item.group === shown[index - 1]?.group ? undefined : item.group}
            active={index === active.value}
            chosen={chosen.includes(item.id)}
            several={several}
            onChoose={() => {
              active.value = index;
              onChoose(item.id);
            }}
          />
        ))}
      </div>
      {shown.length === 0 && <p class="picker-empty">{items.length === 0 ? words.none : words.noMatch}</p>}
    </>
  );
}

/** The matching items, followed by the typed text if it can be the ID of another. */
function optionsFor(items: readonly PickerItem[], typed: string, words: PickerWords): readonly PickerItem[] {
  const found = matching(items, typed);
  if (!/^\S+$/.test(typed) || items.some(({ id }) => id === typed)) return found;
  const group = items.length > 0 ? words.unlisted : '';
  return [...found, { id: typed, name: words.useTyped(typed), detail: '', group }];
}

interface SearchBoxProps {
  readonly listId: string;
  readonly label: string;
  readonly query: Signal<string>;
  /** Index of the active option, whose element ID consists of the list's ID and this index. */
  readonly active: Signal<number>;
  readonly count: number;
  readonly onEnter: () => void;
}

/** Takes the focus, and retains it while the arrow keys move through the list. */
function SearchBox({ listId, label, query, active, count, onEnter }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = nextIndex(event.key, active.value, count);
    if (moved !== undefined) active.value = moved;
    else if (event.key === 'Enter') onEnter();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <input
      ref={input}
      class="picker-search"
      type="text"
      dir="auto"
      role="combobox"
      aria-expanded="true"
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={count > 0 ? `${listId}-${active.value}` : undefined}
      aria-label={label}
      placeholder={label}
      {...searchInput((text) => {
        query.value = text;
        active.value = 0;
      })}
      onKeyDown={onKeyDown}
    />
  );
}

interface OptionProps {
  readonly item: PickerItem;
  readonly index: number;
  readonly id: string;
  /** Heading of the group that begins with this option. */
  readonly heading: string | undefined;
  readonly active: boolean;
  readonly chosen: boolean;
  readonly several: PickerListProps['several'];
  readonly onChoose: () => void;
}

function Option({ item, index, id, heading, active, chosen, several, onChoose }: OptionProps) {
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
        class={`picker-option${several ? ' check-option' : ''}${active ? ' picker-active' : ''}`}
        role="option"
        aria-selected={chosen}
        aria-disabled={several && several.isFull && !chosen}
        title={item.id}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onChoose}
      >
        <span class={several ? 'check-box' : 'picker-mark'}>{chosen && <Icon name="check" />}</span>
        <span class="picker-words">
          <span class="picker-name">{item.name}</span>
          {item.detail && <span class="picker-detail">{item.detail}</span>}
        </span>
      </div>
    </>
  );
}
