import './compare.css';
import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { type Signal, useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Chat } from '../chatContext';
import type { TurnView } from '../conversation';
import { Column } from './column';
import { columnNames } from '../modelNames';
import { columnState, comparisonSummary } from './columnFacts';
import { IconButton } from '../../../components/iconButton';
import { focusIfActive } from '../../../components/focus';

/** Below this width in pixels, one column is shown at a time, with tabs for the others. */
const sideBySideWidth = 600;

export interface ComparisonProps {
  readonly chat: Chat;
  readonly turn: TurnView;
  /** Whether the next question follows this turn. */
  readonly isLast: boolean;
}

/** The answers of several models to one question: side by side, or one at a time if there is not enough width. */
export function Comparison({ chat, turn, isLast }: ComparisonProps) {
  const { session } = chat;
  const root = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrowness(root);
  const shown = useSignal(0);
  const id = useId();
  const locale = session.page.value?.locale ?? 'en';
  const columns = (turn.comparison?.columns ?? []).flatMap((view) => {
    const answer = session.comparing.column(view.tryId);
    return answer ? [{ view, answer }] : [];
  });
  const answers = columns.map(({ answer }) => answer.facts.value);
  const names = columnNames(answers.map(({ model }) => model));
  const hasAnswer = columns.some(({ answer }) => answer.blocks.value.length > 0);
  const tab = (index: number) => `${id}-tab-${index}`;
  const panel = (index: number) => `${id}-panel-${index}`;

  return (
    <div
      class="compare"
      ref={root}
      role="group"
      aria-label={l10n.t('Responses from {0} models', pageNumber(columns.length))}
      data-narrow={isNarrow.value}
    >
      <Summary lines={comparisonSummary(answers, locale)} />
      {isNarrow.value && (
        <Tabs
          label={l10n.t('Responses from {0} models', pageNumber(columns.length))}
          tabs={answers.map((answer, index) => ({
            id: tab(index),
            panel: panel(index),
            name: names[index] ?? '',
            state: columnState(answer, locale),
          }))}
          shown={shown}
        />
      )}
      <div class="compare-columns" data-count={columns.length}>
        {columns.map(({ view, answer }, index) => (
          <Column
            key={view.tryId}
            chat={chat}
            turn={turn}
            view={view}
            answer={answer}
            name={names[index] ?? ''}
            panel={isNarrow.value ? { id: panel(index), tab: tab(index), isShown: index === shown.value } : undefined}
          />
        ))}
      </div>
      {isLast && hasAnswer && !session.comparing.isRunning(turn) && (
        <p class="compare-hint">{l10n.t('To continue, choose one of the responses.')}</p>
      )}
    </div>
  );
}

function Summary({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <p class="compare-summary">
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </p>
  );
}

function useNarrowness(root: { readonly current: HTMLElement | null }): Signal<boolean> {
  const isNarrow = useSignal(true);
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const measure = () => (isNarrow.value = element.clientWidth < sideBySideWidth);
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [root, isNarrow]);
  return isNarrow;
}

interface Tab {
  readonly id: string;
  readonly panel: string;
  readonly name: string;
  readonly state: string;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly shown: Signal<number>;
}

/** Tabs in a column, because there is no horizontal space for the names. Each shows the state of its answer. */
function Tabs({ label, tabs, shown }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabAfter(event.key, shown.peek(), tabs.length);
    if (next === undefined || event.altKey) return;
    event.preventDefault();
    shown.value = next;
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div
      class="compare-tabs"
      role="tablist"
      aria-label={label}
      aria-orientation="vertical"
      ref={list}
      onKeyDown={onKeyDown}
    >
      {tabs.map(({ id, panel, name, state }, index) => (
        <button
          key={id}
          id={id}
          type="button"
          class="compare-tab"
          role="tab"
          aria-selected={index === shown.value}
          aria-controls={panel}
          tabIndex={index === shown.value ? 0 : -1}
          onClick={() => (shown.value = index)}
        >
          <span class="compare-tab-name">{name}</span>
          <span class="compare-tab-state">{state}</span>
        </button>
      ))}
    </div>
  );
}

function tabAfter(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown' || key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Shows all compared answers again, for an answer that was picked among them. */
export function ShowComparison({ chat, turn }: { readonly chat: Chat; readonly turn: TurnView }) {
  const { session } = chat;
  const { comparison } = turn;
  if (!comparison || session.running.value) return null;
  const label = l10n.t('Show All {0} Responses', pageNumber(comparison.count));
  const show = async () => {
    await session.comparing.showAgain(turn.id);
    if (session.error.peek()) return;
    focusIfActive(document.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turn.id)}"]`));
    chat.announcer.say(l10n.t('Responses from {0} models', pageNumber(comparison.count)));
  };
  return <IconButton icon="split-horizontal" label={label} onClick={() => void show()} />;
}
