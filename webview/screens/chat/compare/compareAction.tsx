import './comparePanel.css';
import '../../../components/picker.css';
import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useId } from 'preact/hooks';
import { type BarAction, focusAction } from '../../../components/actionBar';
import { closeOutside } from '../../../components/closeOutside';
import type { Chat } from '../chatContext';
import { pageNumber } from '../../../components/pageLanguage';
import { useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { mostCompared } from '../../../../src/protocol/chatBounds';
import { IconButton } from '../../../components/iconButton';
import { modelItems } from '../modelNames';
import { Icon } from '../../../components/icon';
import { matching, nextIndex, type PickerItem } from '../../../components/pickerItems';
import { SearchBox } from '../../../components/searchBox';

const panelId = 'compare-panel';

/** Opens the panel that chooses the models to compare. */
export function compareAction({ session }: Chat): BarAction {
  const { open } = session.comparing;
  return {
    id: 'compare',
    icon: 'split-horizontal',
    label: l10n.t('Compare models'),
    room: 'much',
    panel: { id: panelId, open },
    run: () => (open.value = !open.peek()),
  };
}

/** The compare panel, while it is open. */
export function ComparePopup({ chat }: { readonly chat: Chat }) {
  const { open } = chat.session.comparing;
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => closeOutside(root, open), [open]);
  if (!open.value) return null;
  const close = (isChosen: boolean) => {
    open.value = false;
    if (isChosen) document.querySelector<HTMLElement>('.composer-text')?.focus();
    else focusAction('compare');
  };
  return <ComparePanel chat={chat} id={panelId} root={root} close={close} />;
}

interface ComparePanelProps {
  readonly chat: Chat;
  readonly id: string;
  readonly root: RefObject<HTMLDivElement | null>;
  /** Closes the panel and moves the focus: to the question box if models were chosen, else to the button. */
  readonly close: (isChosen: boolean) => void;
}

/** Chooses the models the next question goes to. Takes effect only when a button is pressed. */
function ComparePanel({ chat, id, root, close }: ComparePanelProps) {
  const { session } = chat;
  const { comparing } = session;
  const models = session.page.value?.models ?? [];
  const checked = useSignal<readonly string[]>(firstChecked(chat));
  const { length } = checked.value;
  const isEnough = length >= 2;
  const title = l10n.t('Compare models');
  const toggle = (model: string) => {
    const before = checked.peek();
    if (before.includes(model)) checked.value = before.filter((one) => one !== model);
    else if (before.length < mostCompared) checked.value = [...before, model];
  };
  const apply = (on: boolean) => {
    void comparing.choose(checked.peek(), on);
    close(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close(false);
  };
  return (
    <div class="compare-panel" id={id} role="dialog" aria-label={title} ref={root} onKeyDown={onKeyDown}>
      <div class="compare-head">
        <h2 class="compare-title">{title}</h2>
        <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={() => close(false)} />
      </div>
      <p class="compare-hint">
        {l10n.t(
          'The next question goes to all chosen models at once. Each answer uses tokens of its own. No tools are offered.',
        )}
      </p>
      <ModelChecklist
        items={modelItems(models, session.page.value?.locale ?? 'en')}
        checked={checked.value}
        isFull={length >= mostCompared}
        onToggle={toggle}
      />
      <div class="compare-foot">
        <vscode-button appearance="primary" disabled={!isEnough} onClick={() => isEnough && apply(true)}>
          {isEnough ? l10n.t('Compare {0} models', pageNumber(length)) : l10n.t('Choose 2 to 4 models')}
        </vscode-button>
        {comparing.chosen.value.on && (
          <vscode-button appearance="secondary" onClick={() => apply(false)}>
            {l10n.t('Ask one model')}
          </vscode-button>
        )}
        <span class="compare-most" role="status">
          {length >= mostCompared && l10n.t('4 models at most')}
        </span>
      </div>
    </div>
  );
}

/** Returns the models compared last that are still listed, else the current model. */
function firstChecked({ session }: Chat): readonly string[] {
  const { models = [], model } = session.page.peek() ?? {};
  const isListed = (id: string) => models.some((one) => one.id === id);
  const before = session.comparing.chosen.peek().models.filter(isListed);
  if (before.length > 0) return before;
  return model !== undefined && isListed(model) ? [model] : [];
}

interface ModelChecklistProps {
  readonly items: readonly PickerItem[];
  readonly checked: readonly string[];
  /** Whether no more items may be checked. */
  readonly isFull: boolean;
  readonly onToggle: (id: string) => void;
}

/** A searchable list that allows multiple choices. The search box keeps the focus: arrow keys move, Enter checks and unchecks. */
function ModelChecklist({ items, checked, isFull, onToggle }: ModelChecklistProps) {
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
