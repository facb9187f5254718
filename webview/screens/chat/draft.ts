import { signal } from '@preact/signals';
import type { ChatSnapshot } from '../../../src/protocol/chat';
import type { ChatHost } from './chatHost';

/** A question on its way to the host. */
interface Sending {
  readonly question: string;
  /** What was typed since, once another conversation is shown. */
  left?: { readonly conversationId: string | undefined; readonly typed: string };
}

/** The question being written. Saved in the page's own state at once, and by the host shortly after. */
export class Draft {
  readonly text = signal('');
  /** Scroll position of the log; saved with the text. */
  scrollTop = -1;
  private conversationId: string | undefined;
  private readonly wasSaved: boolean;
  /** Until it is known what the page shows. What is typed before goes to what is shown then. */
  private first: 'saved' | 'typed' | undefined = 'saved';
  /** The text the host is known to have. */
  private known = '';
  /** The question that is being sent from the conversation shown now. */
  private sending: Sending | undefined;
  // Text that did not reach the host is still in the page's own state.
  private readonly draftTeller = createTeller((value: string) =>
    this.host.call('chat/draft', { text: (this.known = value), ...of(this.conversationId) }),
  );
  private readonly scrollTeller = createTeller((value: number) =>
    this.host.call('chat/scrolled', { scrollTop: value }),
  );

  constructor(private readonly host: ChatHost) {
    const saved = host.load();
    this.wasSaved = saved !== undefined;
    this.text.value = saved?.draft ?? '';
    this.scrollTop = saved?.scrollTop ?? -1;
    this.conversationId = saved?.conversationId;
  }

  set(value: string): void {
    this.text.value = value;
    this.keep();
    if (this.first) this.first = 'typed';
    else if (!this.sending) this.draftTeller.tell(value);
  }

  saveScroll(value: number): void {
    if (this.scrollTop === value) return;
    this.scrollTop = value;
    this.keep();
    this.scrollTeller.tell(value);
  }

  /** Sends the host at once what it does not have yet, because another page may continue from there. */
  flush(): void {
    this.draftTeller.flush();
    this.scrollTeller.flush();
  }

  /**
   * Empties the box of a question that is being sent, and returns the function to call with the outcome. Until then the question is
   * still saved as the draft, here and by the host, because the window may close. If it wasn't accepted, it returns to the box.
   */
  send(): (isAccepted: boolean) => void {
    this.flush();
    const sent: Sending = { question: this.text.peek().trim() };
    this.sending = sent;
    this.text.value = '';
    this.keep();
    return (isAccepted) => {
      const { question, left } = sent;
      const rest = (typed: string) => (isAccepted ? typed : joined(question, typed));
      if (left) {
        // The host has the question alone.
        const text = rest(left.typed);
        if (left.typed !== '')
          void this.host.call('chat/draft', { text, ...of(left.conversationId) }).catch(() => undefined);
        return;
      }
      this.sending = undefined;
      this.text.value = rest(this.text.peek());
      this.draftTeller.tell(this.text.peek());
      this.keep();
    };
  }

  /** Replaces the text by the host's unless ours is newer: on switching the conversation, after a change elsewhere, and after a reload. */
  receive(snapshot: ChatSnapshot): void {
    const { draft: value, draftMovedFrom, conversationId: shown, scrollTop: stood = -1, turns, queued } = snapshot;
    const { conversationId, draftTeller, first, text } = this;
    const isOtherConversation = conversationId !== undefined && conversationId !== shown;
    const isOtherDraft = isOtherConversation && draftMovedFrom !== conversationId && first !== 'typed';
    if (isOtherConversation || (first && !this.wasSaved)) this.scrollTop = stood;
    // What was typed belongs to the conversation it was typed in.
    if (isOtherDraft) this.leave();
    this.conversationId = shown;
    if (first === 'saved' && value === '')
      text.value = unsent(text.peek(), [queued?.at(-1)?.text, turns.at(-1)?.question]);
    // A snapshot sent before the host received our text is older than ours.
    const own = text.peek();
    const isTyping = this.sending !== undefined || draftTeller.isBusy;
    // A reloaded page may have text that the host never received, or that is older than the host's.
    const isOurs =
      isTyping || first === 'typed' || (first ? own !== '' && own.startsWith(value) : value === this.known);
    this.first = undefined;
    if (!isOurs || isOtherDraft) {
      text.value = this.known = value;
    } else if (own !== value && !this.sending && (!isTyping || isOtherConversation)) {
      // The previous page was closed before it could send the text, or it was typed on while its draft moved along.
      draftTeller.tell(own);
    }
    this.keep();
  }

  private leave(): void {
    this.draftTeller.flush();
    if (!this.sending) return;
    this.sending.left = { conversationId: this.conversationId, typed: this.text.peek() };
    this.sending = undefined;
  }

  private keep(): void {
    const { conversationId, host, scrollTop, sending } = this;
    const draft = sending ? joined(sending.question, this.text.peek()) : this.text.peek();
    host.save({ ...host.load(), ...of(conversationId), draft, scrollTop });
  }
}

function of(conversationId: string | undefined): { readonly conversationId?: string } {
  return conversationId === undefined ? {} : { conversationId };
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part.trim() !== '').join('\n\n');

/**
 * Returns the part of a saved text that was not sent. The editor saves a page's own state only occasionally, so that after a crash it
 * may begin with a question that was sent since, or that was being sent.
 */
function unsent(saved: string, asked: readonly (string | undefined)[]): string {
  const question = asked.find((one) => one !== undefined && (saved.trim() === one || saved.startsWith(`${one}\n\n`)));
  return question ? saved.trimStart().slice(question.length).trimStart() : saved;
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
