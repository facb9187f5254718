import * as l10n from '@vscode/l10n';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { Icon } from '../../../components/icon';
import '../../../components/picker.css';
import { matching, nextIndex, type PickerItem } from '../../../components/pickerItems';
import { SearchBox } from '../../../components/searchBox';

interface ModelChecklistProps {
  readonly items: readonly PickerItem[];
  readonly checked: readonly string[];
  /** Whether no more items may be checked. */
  readonly isFull: boolean;
  readonly onToggle: (id: string) => void;
}

/** A searchable list that allows multiple choices. The search box keeps the focus: arrow keys move, Enter checks and unchecks. */
export function ModelChecklist({ items, checked, isFull, onToggle }: ModelChecklistProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const query = useSignal('');
  const active = useSignal(0);
  const shown = matching(items, query.value);
  useSignalEffect(() => {
    list.current?.querySelector(`[data-index="${active.value}"]`)?.scrollIntoView({ block: 'nearest' });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const moved = nextIndex(event.key, active.value, shown.length);
    if (moved !== undefined) active.value = moved;
    else if (event.key === 'Enter') {
      const item = shown[active.value];
      if (item) onToggle(item.id);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <SearchBox
        listId={id}
        activeId={shown.length > 0 ? `${id}-${active.value}` : undefined}
        label={l10n.t('Search models')}
        query={query}
        onInput={() => (active.value = 0)}
        onKeyDown={onKeyDown}
      />
      <div
        class="picker-list"
        role="listbox"
        id={id}
        aria-label={l10n.t('Search models')}
        aria-multiselectable="true"
        ref={list}
      >
        {shown.map((item, index) => (
          <CheckOption
            key={item.id}
            item={item}
            index={index}
            id={`${id}-${index}`}
            heading={item.group === shown[index - 1]?.group ? undefined : item.group}
            active={index === active.value}
            checked={checked.includes(item.id)}
            disabled={isFull && !checked.includes(item.id)}
            onToggle={() => {
              active.value = index;
              onToggle(item.id);
            }}
          />
        ))}
      </div>
      {shown.length === 0 && (
        <p class="picker-empty">{items.length === 0 ? l10n.t('No chat models') : l10n.t('No model matches.')}</p>
      )}
    </>
  );
}

interface CheckOptionProps {
  readonly item: PickerItem;
  readonly index: number;
  readonly id: string;
  /** Heading of the group that begins with this option. */
  readonly heading: string | undefined;
  readonly active: boolean;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onToggle: () => void;
}

function CheckOption({ item, index, id, heading, active, checked, disabled, onToggle }: CheckOptionProps) {
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
        class={`picker-option check-option${active ? ' picker-active' : ''}`}
        role="option"
        aria-selected={checked}
        aria-disabled={disabled}
        title={item.id}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onToggle}
      >
        <span class="check-box">{checked && <Icon name="check" />}</span>
        <span>
          <span class="picker-name">{item.name}</span> {item.detail && <span class="picker-detail">{item.detail}</span>}
        </span>
      </div>
    </>
  );
}
