import * as l10n from '@vscode/l10n';
import { Icon } from '../../components/icon';
import { Note } from '../../components/note';
import type { Chat } from './chatContext';
import { spentWords } from './spending';
import './spentLine.css';
import { pageNumber } from '../../components/pageLanguage';

/** The usage of the conversation and the day, below the question box. */
export function SpentLine({ chat: { session } }: { readonly chat: Chat }) {
  const spent = session.spent.value;
  const words = spent && spentWords(spent, session.page.value?.locale ?? 'en');
  if (!words) return null;
  return (
    <p class="spent" title={words.full}>
      {spent.state !== 'within' && <Icon name="warning" />}
      <span>{words.short}</span>
    </p>
  );
}

/** The note on the soft limit, within the conversation. The hard limit is reported by the request it blocks. */
export function BudgetNote({ chat: { session } }: { readonly chat: Chat }) {
  const spent = session.spent.value;
  if (spent?.state !== 'soft') return null;
  const { hard, soft } = spent.budget;
  const { inputTokens, outputTokens, isEstimate } = spent.today;
  const count = pageNumber(inputTokens + outputTokens);
  const used = isEstimate ? l10n.t('about {0}', count) : count;
  return (
    <Note
      tone="warning"
      title={l10n.t('Daily token warning')}
      detail={
        hard > 0
          ? l10n.t('This account has used {0} tokens today. Messages are blocked at {1}.', used, pageNumber(hard))
          : l10n.t('This account has used {0} tokens today. The warning is set to {1}.', used, pageNumber(soft))
      }
      actions={[{ id: 'budgetSetting', label: l10n.t('Change Limit') }]}
      onAct={(action) => void session.act(action)}
    />
  );
}
