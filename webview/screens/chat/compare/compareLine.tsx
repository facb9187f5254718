import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { IconButton } from '../../../components/iconButton';
import type { Chat } from '../chatContext';
import { columnNames } from './columnNames';
import { ComparisonPrice } from './comparisonPrice';
import './comparePanel.css';
import { pageList } from '../../../components/pageLanguage';

/** Shown above the question box while the question goes to several models: names them, and says that each one costs. */
export function CompareLine({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { models, on } = session.comparing.chosen.value;
  const asked = session.comparing.asked.value;
  if (!on) return null;
  const words =
    asked.length < 2
      ? l10n.t('Choose 2 to 4 Models')
      : l10n.t('Sends to {0} models, each using tokens: {1}', pageNumber(asked.length), pageList(columnNames(asked)));
  const stop = () => {
    void session.comparing.choose(models, false);
    document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  return (
    <div class="compare-line">
      <span class="compare-line-text">
        {words}
        <ComparisonPrice chat={chat} models={asked} />
      </span>
      <IconButton icon="close" label={l10n.t('Use One Model')} onClick={stop} />
    </div>
  );
}
