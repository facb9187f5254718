import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { pageNumber } from '../../components/pageLanguage';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import './branches.css';
import type { Chat } from './chatContext';
import type { TurnView } from './conversation';

interface BranchSwitcherProps {
  readonly chat: Chat;
  readonly turn: TurnView;
  readonly among: 'questions' | 'tries';
}

/** Shown below a question: which of its versions it is, and a button to edit it. */
export function QuestionEnd({ chat, turn }: Omit<BranchSwitcherProps, 'among'>) {
  const { session } = chat;
  const canAsk = session.page.value?.account === 'ready' && session.running.value === undefined;
  return (
    <>
      <BranchSwitcher chat={chat} turn={turn} among="questions" />
      {canAsk && (
        <span class="question-actions">
          <IconButton icon="edit" label={l10n.t('Edit Question')} onClick={() => (session.editing.value = turn.id)} />
        </span>
      )}
    </>
  );
}

/** Switches between the branches at one position: "‹ 2/3 ›". The pressed button keeps the focus. */
export function BranchSwitcher({ chat, turn, among }: BranchSwitcherProps) {
  const root = useRef<HTMLSpanElement>(null);
  const { session, announcer } = chat;
  const place = turn[among];
  if (!place) return null;
  const isBusy = session.running.value !== undefined;
  const spokenPlace = (index: number) => {
    const [number, count] = [pageNumber(index + 1), pageNumber(place.count)];
    return among === 'questions'
      ? l10n.t('Question {0} of {1}.', number, count)
      : l10n.t('Response {0} of {1}.', number, count);
  };

  const go = async (step: 1 | -1) => {
    const articles = () => [...document.querySelectorAll('.turn')];
    const at = articles().findIndex((article) => article.contains(root.current));
    await session.walk(turn.id, among, place.index + step);
    announcer.say(spokenPlace(place.index + step));
    // By now another turn may be drawn at this position.
    requestAnimationFrame(() => {
      const buttons = articles()[at]?.querySelectorAll<HTMLButtonElement>(`.walker-${among} button`) ?? [];
      const [back, on] = [...buttons];
      const button = step > 0 ? on : back;
      (button?.disabled === false ? button : step > 0 ? back : on)?.focus();
    });
  };
  const button = (step: 1 | -1, icon: IconName, label: string) => (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      disabled={isBusy || place.index + step < 0 || place.index + step >= place.count}
      onClick={() => void go(step)}
    >
      <Icon name={icon} />
    </button>
  );
  const isQuestion = among === 'questions';
  return (
    <span class={`walker walker-${among}`} ref={root}>
      {button(-1, 'chevron-left', isQuestion ? l10n.t('Previous Question Version') : l10n.t('Previous Response'))}
      <span class="walker-place" aria-hidden="true">
        {l10n.t('{0}/{1}', pageNumber(place.index + 1), pageNumber(place.count))}
      </span>
      <span class="spoken">{spokenPlace(place.index)}</span>
      {button(1, 'chevron-right', isQuestion ? l10n.t('Next Question Version') : l10n.t('Next Response'))}
    </span>
  );
}
