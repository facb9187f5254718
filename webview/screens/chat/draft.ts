import { type ReadonlySignal, signal } from '@preact/signals';
import type { ChatSnapshot } from '../../../src/protocol/chat';
import type { ChatHost } from './chatHost';

/** The question being written. Saved in the page's own state at once, and by the host shortly after. */
export interface Draft {
  readonly text: ReadonlySignal<string>;
  /** Scroll position of the log; saved with the text. */
  scrollTop: number;
  set(text: string): void;
  saveScroll(scrollTop: number): void;
  /** Replaces the text by the host's unless ours is newer: on switching the conversation, after a change elsewhere, and after a reload. */
  receive(snapshot: ChatSnapshot): void;
  /** Sends the host at once what it does not have yet, because another page may continue from there. */
  flush(): void;
}

export function createDraft(host: ChatHost): Draft {
  const saved = host.load();
  const text = signal(saved?.draft ?? '');
  let scrollTop = saved?.scrollTop ?? -1;
  let conversationId = saved?.conversationId;
  /** Until it is known what the page shows. What is typed before goes to what is shown then. */
  let first: 'saved' | 'typed' | undefined = 'saved';
  /** The text the host is known to have. */
  let known = '';
  const keep = () => host.save({ ...host.load(), ...of(conversationId), draft: text.peek(), scrollTop });
  // Text that did not reach the host is still in the page's own state.
  const draftTeller = createTeller((value: string) =>
    host.call('chat/draft', { text: (known = value), ...of(conversationId) }),
  );
  const scrollTeller = createTeller((value: number) => host.call('chat/scrolled', { scrollTop: value }));

  return {
    text,
    get scrollTop() {
      return scrollTop;
    },
    set(value) {
      text.value = value;
      keep();
      if (first) first = 'typed';
      else draftTeller.tell(value);
    },
    saveScroll(value) {
      if (scrollTop === value) return;
      scrollTop = value;
      keep();
      scrollTeller.tell(value);
    },
    flush() {
      draftTeller.flush();
      scrollTeller.flush();
    },
    receive({ draft: value, draftMovedFrom, conversationId: shown, scrollTop: stood = -1, turns }) {
      const isOtherConversation = conversationId !== undefined && conversationId !== shown;
      const isOtherDraft = isOtherConversation && draftMovedFrom !== conversationId && first !== 'typed';
      if (isOtherConversation || (first && !saved)) scrollTop = stood;
      // What was typed belongs to the conversation it was typed in.
      if (isOtherDraft) draftTeller.flush();
      conversationId = shown;
      // A snapshot sent before the host received our text is older than ours.
      const own = text.peek();
      const isTyping = draftTeller.isBusy;
      const isOurs =
        isTyping || first === 'typed' || (first ? goesOnFrom(value, own, turns.at(-1)?.question) : value === known);
      first = undefined;
      if (!isOurs || isOtherDraft) {
        text.value = known = value;
      } else if (own !== value && (!isTyping || isOtherConversation)) {
        // The previous page was closed before it could send the text, or it was typed on while its draft moved along.
        draftTeller.tell(own);
      }
      keep();
    },
  };
}

function of(conversationId: string | undefined): { readonly conversationId?: string } {
  return conversationId === undefined ? {} : { conversationId };
}

/**
 * Whether a reloaded page has text that the host never received. The editor saves a page's own state only occasionally, so that
 * after a crash it may also be older than the host's, and may even be a question that was sent since.
 */
function goesOnFrom(hosts: string, own: string, lastQuestion: string | undefined): boolean {
  if (own === '' || !own.startsWith(hosts)) return false;
  return hosts !== '' || own.trim() !== lastQuestion;
}

const hostDelayMs = 300;

interface Teller<Value> {
  tell(value: Value): void;
  /** Sends the pending value at once. */
  flush(): void;
  /** Whether the host does not have the latest value yet. */
  readonly isBusy: boolean;
}

/** Creates a debounced sender of a value to the host. */
function createTeller<Value>(send: (value: Value) => Promise<unknown>): Teller<Value> {
  let pending: { readonly value: Value } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let telling = 0;
  const done = () => {
    telling--;
  };
  const flush = () => {
    clearTimeout(timer);
    if (!pending) return;
    const { value } = pending;
    pending = undefined;
    telling++;
    void send(value).then(done, done);
  };
  return {
    flush,
    tell(value) {
      pending = { value };
      clearTimeout(timer);
      timer = setTimeout(flush, hostDelayMs);
    },
    get isBusy() {
      return pending !== undefined || telling > 0;
    },
  };
}
