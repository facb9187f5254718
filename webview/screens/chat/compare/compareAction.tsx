import './comparePanel.css';
import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { type BarAction, focusAction } from '../../../components/actionBar';
import { closeOutside } from '../../../components/closeOutside';
import type { Chat } from '../chatContext';
import { pageList, pageNumber } from '../../../components/pageLanguage';
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { mostCompared } from '../../../../src/protocol/chatBounds';
import { IconButton } from '../../../components/iconButton';
import { columnNames, modelItems, modelWords } from '../modelNames';
import { PickerList } from '../../../components/pickerList';
import { Icon } from '../../../components/icon';
import { HostError } from '../../../../src/protocol/caller';
import type { ComparisonPrice as Price } from '../../../../src/protocol/chatCompare';

const panelId = 'compare-panel';

/** Opens the panel that chooses the models to compare. */
export function compareAction({ session }: Chat): BarAction {
  const { open } = session.comparing;
  return {
    id: 'compare',
    icon: 'split-horizontal',
    label: l10n.t('Compare Models'),
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
    if (isChosen || !focusAction('compare')) document.querySelector<HTMLElement>('.composer-text')?.focus();
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
  const page = session.page.value;
  const checked = useSignal<readonly string[]>(firstChecked(chat));
  /** Those that were checked while the panel is open: one that is not listed stays in the list. */
  const seen = useSignal(checked.peek());
  const { length } = checked.value;
  const isEnough = length >= 2;
  const title = l10n.t('Compare Models');
  const toggle = (model: string) => {
    const before = checked.peek();
    if (before.includes(model)) checked.value = before.filter((one) => one !== model);
    else if (before.length < mostCompared) checked.value = [...before, model];
    seen.value = [...new Set([...seen.peek(), ...checked.peek()])];
  };
  const apply = (on: boolean) => {
    void comparing.choose(checked.peek(), on);
    close(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
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
      <p class="compare-hint">{l10n.t('Your next question goes to all selected models, without tools.')}</p>
      <PickerList
        items={modelItems(page?.models ?? [], page?.locale ?? 'en', seen.value)}
        chosen={checked.value}
        several={{ isFull: length >= mostCompared }}
        words={modelWords(page)}
        onChoose={toggle}
      />
      <div class="compare-foot">
        <vscode-button appearance="primary" disabled={!isEnough} onClick={() => isEnough && apply(true)}>
          {isEnough ? l10n.t('Compare {0} Models', pageNumber(length)) : l10n.t('Choose 2 to 4 Models')}
        </vscode-button>
        {comparing.chosen.value.on && (
          <vscode-button appearance="secondary" onClick={() => apply(false)}>
            {l10n.t('Use One Model')}
          </vscode-button>
        )}
        <span class="compare-most" role="status">
          {length >= mostCompared && l10n.t('Up to 4 models')} <ComparisonPrice chat={chat} models={checked.value} />
        </span>
      </div>
    </div>
  );
}

/** Returns the models compared last that the account has, else the current model. */
function firstChecked({ session }: Chat): readonly string[] {
  const { model, notOffered = [] } = session.page.peek() ?? {};
  const before = session.comparing.models.peek();
  if (before.length > 0) return before;
  return model !== undefined && !notOffered.includes(model) ? [model] : [];
}

/** Shown above the question box while the question goes to several models: names them, and says that each one costs. */
export function CompareLine({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { models, on } = session.comparing.chosen.value;
  const requestedModels = session.comparing.models.value;
  if (!on) return null;
  const words =
    requestedModels.length < 2
      ? l10n.t('Choose 2 to 4 Models')
      : l10n.t(
          'The next question uses tokens on {0} models: {1}',
          pageNumber(requestedModels.length),
          pageList(columnNames(requestedModels)),
        );
  const stop = () => {
    void session.comparing.choose(models, false);
    document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  return (
    <div class="compare-line">
      <span class="compare-line-text">
        {words}
        <ComparisonPrice chat={chat} models={requestedModels} />
      </span>
      <IconButton icon="close" label={l10n.t('Use One Model')} onClick={stop} />
    </div>
  );
}

/** Replaces the model picker while the question goes to several models: shows how many, and opens the panel. */
export function ComparedButton({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { label, panel, run } = compareAction(chat);
  const { length } = session.comparing.models.value;
  const count = String(length);
  const models = length < 2 ? label : l10n.t('{0} models', count);
  const isOpen = session.comparing.open.value;
  return (
    <div class="picker">
      <button
        type="button"
        class="picker-button bar-compare"
        title={label}
        aria-label={models}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...(panel && isOpen && { 'aria-controls': panel.id })}
        onClick={run}
      >
        <span class="compared-models">{models}</span>
        <span class="compared-count">{count}</span>
        <Icon name="chevron-down" />
      </button>
    </div>
  );
}

/** The draft reaches the host a moment after it was typed. */
const settledMs = 800;

/** The cost of the question in the box for all these models. The tooltip lists the price of each. */
export function ComparisonPrice({ chat, models }: { readonly chat: Chat; readonly models: readonly string[] }) {
  const { session } = chat;
  const price = useSignal<Price | undefined>(undefined);
  const draft = session.draft.text.value;
  const subject = JSON.stringify([models, draft]);
  useEffect(() => {
    let isCurrent = true;
    const load = () =>
      session.host.call('chat/price', { models }).then(
        (reported) => isCurrent && (price.value = reported.price),
        (error: unknown) => {
          // The price is missing then. Other effects of the error are shown where they occur.
          if (!(error instanceof HostError)) throw error;
        },
      );
    const timer = setTimeout(() => void load(), settledMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [subject]);
  if (!price.value) return null;
  const { total, each } = price.value;
  const title = [...each.map(({ model, text }) => `${model}: ${text}`), total.hint].join('\n');
  return (
    <span class="comparison-price" title={title}>
      {total.text}
    </span>
  );
}
