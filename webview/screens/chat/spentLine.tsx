import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { Note } from '../../components/note';
import type { Chat } from './chatContext';
import { spentWords } from './spending';
import './spentLine.css';
import { pageNumber } from '../../components/pageLanguage';

/** The usage of the conversation and the day, below the question box. */
export function SpentLine({ chat: { session, strings } }: { readonly chat: Chat }) {
  const spent = session.spent.value;
  const words = spent && spentWords(spent, strings, session.page.value?.locale ?? 'en');
  if (!words) return null;
  return (
    <p class="spent" title={words.full}>
      {spent.state !== 'within' && <Icon name="warning" />}
      <span>{words.short}</span>
    </p>
  );
}

/** The note on the soft limit, within the conversation. The hard limit is reported by the request it blocks. */
export function BudgetNote({ chat: { session, strings } }: { readonly chat: Chat }) {
  const spent = session.spent.value;
  if (spent?.state !== 'soft') return null;
  const { hard, soft } = spent.budget;
  const { inputTokens, outputTokens, isEstimate } = spent.today;
  const count = pageNumber(inputTokens + outputTokens);
  const used = isEstimate ? fill(strings.about, count) : count;
  return (
    <Note
      tone="warning"
      title={strings.budgetWarning}
      detail={hard > 0 ? fill(strings.budgetWarningHard, used, hard) : fill(strings.budgetWarningSoft, used, soft)}
      actions={[{ id: 'budgetSetting', label: strings.changeBudget }]}
      onAct={(action) => void session.act(action)}
    />
  );
}
