import * as l10n from '@vscode/l10n';
import { Icon } from '../../../components/icon';
import type { Chat } from '../chatContext';
import { compareAction } from './compareAction';

/** Replaces the model picker while the question goes to several models: shows how many, and opens the panel. */
export function ComparedButton({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { label, panel, run } = compareAction(chat);
  const { length } = session.comparing.asked.value;
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
