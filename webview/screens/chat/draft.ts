import { type ReadonlySignal, signal } from '@preact/signals';
import type { ChatSnapshot } from '../../../src/protocol/chat';
import type { ChatHost } from './chatHost';

/** The question being written. Kept in the page's own state at once, and by the host soon after. */
export interface Draft {
  readonly text: ReadonlySignal<string>;
  /** Where the log stands; saved with the text. */
  scrollTop: number;
  set(text: string): void;
  saveScroll(scrollTop: number): void;
  /** Takes the host's text where ours is not newer: another conversation's, one changed elsewhere, one from before a reload. */
  receive(snapshot: Pick<ChatSnapshot, 'draft' | 'conversationId' | 'scrollTop' | 'turns'>): void;
  /** Tells the host at once what it does not have yet: another page may go on from there. */
  flush(): void;
}

export function createDraft(host: ChatHost): Draft {
  const saved = host.load();
  const text = signal(saved?.draft ?? '');
  let scrollTop = saved?.scrollTop ?? -1;
  let conversationId = saved?.conversationId;
  let isFirst = true;
  /** What the host was last known to hold. */
  let known = '';
  const keep = () => host.save({ ...host.load(), ...of(conversationId), draft: text.peek(), scrollTop });
  // What did not reach the host is still in the page's own state.
  const draftTeller = createTeller((value: string) => host.call('chat/draft', { text: (known = value) }));
  const scrollTeller = createTeller((value: number) => host.call('chat/scrolled', { scrollTop: value }));

  return {
    text,
    get scrollTop() {
      return scrollTop;
    },
    set(value) {
      text.value = value;
      keep();
      draftTeller.tell(value);
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
    receive({ draft: value, conversationId: shown, scrollTop: stood = -1, turns }) {
      const isOtherConversation = conversationId !== undefined && conversationId !== shown;
      if (isOtherConversation || (isFirst && !saved)) scrollTop = stood;
      conversationId = shown;
      // What was sent before the host had ours is older than ours.
      const own = text.peek();
      const isTyping = draftTeller.isBusy;
      const isOurs = isTyping || (isFirst ? goesOnFrom(value, own, turns.at(-1)?.question) : value === known);
      isFirst = false;
      if (isTyping && isOtherConversation && own.startsWith(value)) {
        // The person types on while the other one comes: it goes there.
        draftTeller.tell(own);
      } else if (!isOurs || isOtherConversation) {
        draftTeller.forget();
        text.value = value;
        known = value;
      } else if (!isTyping && own !== value) {
        // The page before was thrown away before it could tell.
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
 * Whether a page that loads anew has text the host was not told of any more. The editor writes a page's own state down only now and
 * then, so that after a crash it may also be older than the host's, and even a question that was asked since.
 */
function goesOnFrom(hosts: string, own: string, lastQuestion: string | undefined): boolean {
  if (own === '' || !own.startsWith(hosts)) return false;
  return hosts !== '' || own.trim() !== lastQuestion;
}

const hostDelayMs = 300;

interface Teller<Value> {
  tell(value: Value): void;
  /** Tells at once what it waits to tell. */
  flush(): void;
  forget(): void;
  /** The host does not have it yet. */
  readonly isBusy: boolean;
}

/** Tells the host a value once it has come to rest. */
function createTeller<Value>(send: (value: Value) => Promise<unknown>): Teller<Value> {
  let wanted: { readonly value: Value } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let telling = 0;
  const told = () => {
    telling--;
  };
  const flush = () => {
    clearTimeout(timer);
    if (!wanted) return;
    const { value } = wanted;
    wanted = undefined;
    telling++;
    void send(value).then(told, told);
  };
  return {
    flush,
    tell(value) {
      wanted = { value };
      clearTimeout(timer);
      timer = setTimeout(flush, hostDelayMs);
    },
    forget() {
      clearTimeout(timer);
      wanted = undefined;
    },
    get isBusy() {
      return wanted !== undefined || telling > 0;
    },
  };
}
