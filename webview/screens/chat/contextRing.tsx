import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { HostError } from '../../../src/protocol/caller';
import { sentences } from '../../../src/protocol/sentences';
import { Note } from '../../components/note';
import { pageNumber } from '../../components/pageLanguage';
import type { Chat } from './chatContext';
import { contextUse, spentLines, type UseLine } from './spending';
import './contextRing.css';

/**
 * How full the context window or the daily token budget is, whichever is fuller. The figures are in its accessible name, and in a card
 * while the pointer is over it or it has been clicked.
 */
export function ContextRing({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const isOpen = useSignal(false);
  const page = session.page.value;
  const use = contextUse({
    turns: session.conversation.turns.value,
    chips: session.attachments.chips.value,
    contextTokens: page?.models.find(({ id }) => id === page.model)?.contextTokens,
    compaction: session.compaction.now.value,
  });
  const spent = session.spent.value;
  const day = spent ? spentLines(spent) : { lines: [], share: 0 };
  const share = Math.min(1, Math.max(use.share, day.share));
  const level =
    share > 0.95 || spent?.state === 'hard' ? 'error' : share > 0.8 || spent?.state === 'soft' ? 'warning' : '';
  const lines = [...use.lines, ...day.lines];
  const name = sentences(
    ...[use.title, ...lines.map(({ label, value }) => l10n.t('{0}: {1}', label, value))].map((text) => `${text}.`),
  );
  return (
    <span
      class="ring-place"
      onMouseEnter={() => (isOpen.value = true)}
      onMouseLeave={() => (isOpen.value = false)}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) isOpen.value = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen.peek()) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.querySelector('button')?.focus();
        isOpen.value = false;
      }}
    >
      <button
        type="button"
        class="bar-button ring-button"
        data-level={level}
        aria-label={name}
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = true)}
      >
        <span class="ring" style={{ '--share': share < 0.01 ? '0%' : `${Math.round(share * 100)}%` }} />
      </button>
      {isOpen.value && (
        <ContextCard
          chat={chat}
          title={use.title}
          share={use.share}
          lines={lines}
          close={() => (isOpen.value = false)}
        />
      )}
    </span>
  );
}

interface ContextCardProps {
  readonly chat: Chat;
  readonly title: string;
  readonly share: number;
  readonly lines: readonly UseLine[];
  readonly close: () => void;
}

/** The button's name has the same figures, except for the price. */
function ContextCard({ chat: { session }, title, share, lines, close }: ContextCardProps) {
  const price = useSignal<string | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const { model, comparing } = session.page.peek() ?? {};
    if (model === undefined || comparing?.on || !session.hasQuestion.peek()) return undefined;
    session.host.call('chat/price', { models: [model] }).then(
      (reported) => isCurrent && (price.value = reported.price?.total.text),
      (error: unknown) => {
        // The price is missing then. Other effects of the error are shown where they occur.
        if (!(error instanceof HostError)) throw error;
      },
    );
    return () => void (isCurrent = false);
  }, [session]);
  const parts = lines.filter(({ part }) => part !== undefined);
  const { page, conversation, running } = session;
  const canCompact =
    conversation.turns.value.length > 1 &&
    running.value === undefined &&
    page.value?.account === 'ready' &&
    page.value.model !== undefined &&
    !page.value.comparing.on;
  const compact = () => {
    close();
    document.querySelector<HTMLElement>('.composer-box .composer-text')?.focus();
    void session.offers.takeCommand('compact');
  };
  return (
    <div class="ring-card">
      <div aria-hidden="true">
        <div class="ring-title">{title}</div>
        <div class="ring-track">
          {parts.map(({ part }) => (
            <span key={part?.name} data-part={part?.name} style={{ width: `${(part?.share ?? 0) * 100}%` }} />
          ))}
          {parts.length === 0 && <span style={{ width: `${Math.min(100, share * 100)}%` }} />}
        </div>
        <dl class="ring-lines">
          {[
            ...lines,
            ...(price.value === undefined ? [] : [{ label: l10n.t('This message'), value: price.value }]),
          ].map(({ label, value, part }: UseLine) => (
            <div key={label} class="ring-line" data-part={part?.name}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {canCompact && (
        <button type="button" class="link" onClick={compact} onBlur={close}>
          {l10n.t('Compact Conversation')}
        </button>
      )}
    </div>
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
          ? l10n.t('{0} tokens used today. Messages are blocked at {1}.', used, pageNumber(hard))
          : l10n.t('{0} tokens used today. Warning level: {1}.', used, pageNumber(soft))
      }
      actions={[{ id: 'budgetSetting', label: l10n.t('Change Limit') }]}
      onAct={(action) => void session.act(action)}
    />
  );
}
