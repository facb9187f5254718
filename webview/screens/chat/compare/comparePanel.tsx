import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { mostCompared } from '../../../../src/protocol/chatCompare';
import { fill } from '../../../components/fill';
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
  const { session, strings } = chat;
  const { comparing } = session;
  const models = session.page.value?.models ?? [];
  const checked = useSignal<readonly string[]>(firstChecked(chat));
  const { length } = checked.value;
  const isEnough = length >= 2;
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
    <div class="compare-panel" id={id} role="dialog" aria-label={strings.compare} ref={root} onKeyDown={onKeyDown}>
      <div class="compare-head">
        <h2 class="compare-title">{strings.compare}</h2>
        <IconButton icon="close" label={strings.closeCompare} onClick={() => close(false)} />
      </div>
      <p class="compare-hint">{strings.compareHint}</p>
      <ModelChecklist
        items={modelItems(models, strings, session.page.value?.locale ?? 'en')}
        checked={checked.value}
        isFull={length >= mostCompared}
        words={{ search: strings.searchModels, noMatch: strings.noModelMatches, empty: strings.noModels }}
        onToggle={toggle}
      />
      <div class="compare-foot">
        <vscode-button appearance="primary" disabled={!isEnough} onClick={() => isEnough && apply(true)}>
          {isEnough ? fill(strings.compareStart, length) : strings.compareChoose}
        </vscode-button>
        {comparing.chosen.value.on && (
          <vscode-button appearance="secondary" onClick={() => apply(false)}>
            {strings.compareOne}
          </vscode-button>
        )}
        <span class="compare-most" role="status">
          {length >= mostCompared && strings.compareMost}
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
