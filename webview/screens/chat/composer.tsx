import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AttachmentChips } from './attachmentChips';
import type { Chat } from './chatContext';
import { ComparePopup } from './compare/compareAction';
import { CompareLine } from './compare/compareLine';
import { ComposerBar } from './composerBar';
import { Fill } from './compactionNotes';
import { ParametersPopup } from './parametersAction';
import { useOffers } from './offerList';
import { SpentLine } from './spentLine';
import { ToolsPopup } from './tools/toolsAction';
import { WaitsForYou } from './tools/waitsForYou';

/** The question box, with a bar for the model and Send below it. Panels opened from the bar appear above it. */
export function Composer({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const box = useRef<HTMLTextAreaElement>(null);
  const text = session.draft.text.value;
  const isRunning = session.running.value !== undefined;

  useFocusWithPage(box, session.page.value?.account);
  const offers = useOffers(chat, box);

  const send = () => void session.ask().then(() => session.pickerOpen.peek() || box.current?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    // An Enter that ends a composition (Chinese, Japanese, Korean) chooses a word; older engines report that by key code 229 only.
    if (event.isComposing || event.keyCode === 229) return;
    if (offers.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && isRunning) {
      event.preventDefault();
      void session.stop();
    }
  };

  return (
    <form class="composer" onSubmit={(event) => event.preventDefault()}>
      <WaitsForYou chat={chat} />
      <AttachmentChips chat={chat} />
      <CompareLine chat={chat} />
      <textarea
        ref={box}
        class="composer-text"
        rows={2}
        dir="auto"
        aria-label={l10n.t('Question')}
        placeholder={l10n.t('Ask a question, add files with #')}
        value={text}
        onInput={(event) => {
          session.draft.set(event.currentTarget.value);
          if (!event.isComposing) offers.follow();
        }}
        onCompositionEnd={offers.follow}
        onKeyDown={onKeyDown}
        onKeyUp={offers.follow}
        onClick={offers.follow}
        onBlur={offers.leave}
        {...offers.attributes}
      />
      {offers.list}
      <ComposerBar chat={chat} send={send} />
      <ParametersPopup chat={chat} />
      <ComparePopup chat={chat} />
      <ToolsPopup chat={chat} />
      <div class="composer-foot">
        <SpentLine chat={chat} />
        <Fill chat={chat} />
      </div>
    </form>
  );
}

/**
 * Focuses the box whenever the page gets the focus without any other element having it, and when the focused element disappears
 * because the account's state changes. Never takes the focus from outside the page, which would interrupt the user.
 */
function useFocusWithPage(box: RefObject<HTMLTextAreaElement | null>, account: string | undefined): void {
  useEffect(() => {
    const take = () => {
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree) box.current?.focus({ preventScroll: true });
    };
    if (document.hasFocus()) take();
    window.addEventListener('focus', take);
    return () => window.removeEventListener('focus', take);
  }, [box, account]);
}
