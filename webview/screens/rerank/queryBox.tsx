import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { FieldNote } from '../../components/parameter';
import { HistoryPanel } from './historyPanel';
import { notWalking, walkHistory } from './queryHistory';
import type { RerankSession } from './session';

const panelId = 'history-panel';

/** The query, in a box that grows with it. Enter runs it; the arrow keys recall earlier queries. */
export function QueryBox({ session }: { readonly session: RerankSession }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const open = useSignal(false);
  const issue = session.typed.issues.value.query;
  const { onKeyDown, leave } = useWalk(session);
  useFocusAtStart(box, session.page.value !== undefined);
  return (
    <div class="rerank-query">
      <div class="rerank-query-box">
        <textarea
          ref={box}
          class="rerank-query-text"
          rows={1}
          dir="auto"
          aria-label={l10n.t('Query')}
          aria-invalid={issue !== undefined}
          aria-describedby="query-issue"
          placeholder={l10n.t('What should the best text say?')}
          value={session.typed.form.value.query}
          onInput={({ currentTarget }) => {
            leave();
            session.typed.edit({ query: currentTarget.value });
          }}
          onPointerDown={leave}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          class="icon-button bar-history"
          title={l10n.t('Earlier queries')}
          aria-label={l10n.t('Earlier queries')}
          aria-haspopup="dialog"
          aria-expanded={open.value}
          aria-controls={open.value ? panelId : undefined}
          onClick={() => (open.value = !open.peek())}
        >
          <Icon name="history" />
        </button>
      </div>
      <FieldNote id="query-issue" issue={issue} />
      <HistoryPanel
        id={panelId}
        open={open}
        session={session}
        onChoose={(query) => {
          leave();
          session.typed.edit({ query });
          box.current?.focus();
        }}
      />
    </div>
  );
}

/** Keyboard handling of the box. Once it shows an earlier query, the arrow keys continue through the history until any other edit. */
function useWalk(session: RerankSession) {
  const walk = useRef(notWalking);
  const onKeyDown = (event: KeyboardEvent) => {
    // An Enter that ends a composition (Chinese, Japanese, Korean) chooses a word; older engines report that by key code 229 only.
    if (event.isComposing || event.keyCode === 229 || event.altKey) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      return void session.run();
    }
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined;
    if (step === undefined) {
      walk.current = notWalking;
      return;
    }
    const { selectionEnd, value } = event.currentTarget as HTMLTextAreaElement;
    const isAtStart = step === 1 && selectionEnd === 0;
    if (walk.current.at === -1 && !isAtStart) return;
    const next = walkHistory(session.page.peek()?.history ?? [], walk.current, step, value);
    if (!next) return;
    event.preventDefault();
    walk.current = next.walk;
    session.typed.edit({ query: next.query });
  };
  return { onKeyDown, leave: () => void (walk.current = notWalking) };
}

/** Focuses the query once there is something to rank, because it is the next thing to fill in. */
function useFocusAtStart(box: { readonly current: HTMLTextAreaElement | null }, isThere: boolean): void {
  useEffect(() => {
    if (isThere && document.hasFocus() && document.activeElement === document.body) box.current?.focus();
  }, [isThere]);
}
