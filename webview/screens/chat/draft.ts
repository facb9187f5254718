import { type ReadonlySignal, signal } from '@preact/signals';
import type { ChatHost } from './session';

/** The question being written. Kept in the page's own state at once, and by the host soon after. */
export interface Draft {
  readonly text: ReadonlySignal<string>;
  /** Where the log stands; saved with the text. */
  scrollTop: number;
  set(text: string): void;
  saveScroll(scrollTop: number): void;
  /** Takes the host's text where ours is not newer: another conversation's, one changed elsewhere, one from before a reload. */
  receive(text: string, isOtherConversation: boolean): void;
}

const hostDelayMs = 300;

export function createDraft(host: ChatHost): Draft {
  const saved = host.load();
  const text = signal(saved?.draft ?? '');
  let scrollTop = saved?.scrollTop ?? -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let telling = 0;
  let isFirst = true;
  /** What the host was last known to hold. */
  let known = '';

  const keep = () => host.save({ draft: text.peek(), scrollTop });
  const tellHost = () => {
    timer = undefined;
    known = text.peek();
    telling++;
    // A draft that did not reach the host is still in the page's own state.
    void host.call('chat/draft', { text: known }).then(told, told);
  };
  const told = () => {
    telling--;
  };

  return {
    text,
    get scrollTop() {
      return scrollTop;
    },
    set(value) {
      text.value = value;
      keep();
      clearTimeout(timer);
      timer = setTimeout(tellHost, hostDelayMs);
    },
    saveScroll(value) {
      scrollTop = value;
      keep();
    },
    receive(value, isOtherConversation) {
      // What was sent before the host had ours is older than ours.
      const isBusy = timer !== undefined || telling > 0;
      const isOurs = isBusy || (isFirst ? text.peek() !== '' : value === known);
      isFirst = false;
      if (isOurs && !isOtherConversation) return;
      clearTimeout(timer);
      timer = undefined;
      text.value = value;
      known = value;
      keep();
    },
  };
}
