import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { mostCompared } from '../../../../src/protocol/chatCompare';
import { IconButton } from '../../../components/iconButton';
import type { Chat } from '../chatContext';
import { modelItems } from '../modelNames';
import './comparePanel.css';
import { ModelChecklist } from './modelChecklist';

interface ComparePanelProps {
  readonly chat: Chat;
  readonly id: string;
  readonly root: RefObject<HTMLDivElement | null>;
  /** Closes the panel and moves the focus: to the question box if models were chosen, else to the button. */
  readonly close: (isChosen: boolean) => void;
}

/** Chooses the models the next question goes to. Takes effect only when a button is pressed. */
export function ComparePanel({ chat, id, root, close }: ComparePanelProps) {
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
