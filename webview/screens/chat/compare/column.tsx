import * as l10n from '@vscode/l10n';
import { useId, useMemo } from 'preact/hooks';
import { AnswerBlocks } from '../answerBlocks';
import type { Chat } from '../chatContext';
import { Citations } from '../citations';
import type { TurnView } from '../conversation';
import { shortenMiddle } from '../modelNames';
import { ColumnEnd } from './columnEnd';
import type { ColumnView } from './comparisonView';
import { pageList } from '../../../components/pageLanguage';

export interface ColumnProps {
  readonly chat: Chat;
  /** The turn of the question. */
  readonly turn: TurnView;
  readonly view: ColumnView;
  readonly answer: TurnView;
  /** The model's name, unique among the columns. */
  readonly name: string;
  /** Set if only one column is shown at a time. */
  readonly panel: { readonly id: string; readonly tab: string; readonly isShown: boolean } | undefined;
}

const maxModelName = 48;

/** One model's answer and its actions. */
export function Column({ panel, ...props }: ColumnProps) {
  const { chat, view, answer, name } = props;
  const id = useId();
  const silent = useMemo(() => ({ ...chat, announcer: { say: () => {} } }), [chat]);
  const role = panel
    ? { id: panel.id, role: 'tabpanel' as const, 'aria-labelledby': panel.tab, hidden: !panel.isShown }
    : { 'aria-labelledby': id };
  return (
    <section class="compare-column" {...role}>
      <div class="who">
        <h3 class="who-model" id={id} title={answer.facts.value.model}>
          {shortenMiddle(name, maxModelName)}
        </h3>
        {view.picked && <span class="compare-picked">{l10n.t('picked')}</span>}
      </div>
      {view.leftOut && (
        <p class="facts compare-left-out">
          {l10n.t("Sent without {0}, which this model doesn't support.", pageList(view.leftOut))}
        </p>
      )}
      <AnswerBlocks chat={silent} turn={answer} />
      <Citations citations={answer.facts.value.citations} />
      <ColumnEnd {...props} />
    </section>
  );
}
