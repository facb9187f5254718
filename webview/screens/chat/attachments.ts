import { type ReadonlySignal, type Signal, batch, computed, signal } from '@preact/signals';
import type { AttachmentChip } from '../../../src/protocol/chat';
import type { Attempt, ChatHost } from './chatHost';
import type { DroppedFile, EditorContext, Offer } from '../../../src/protocol/chatOffers';
import { type Mention, mentionAt } from './mention';
import { HostError } from '../../../src/protocol/caller';

/** The attachments of the next question. The host stores them; the page refers to them by id. */
export interface Attachments {
  readonly chips: ReadonlySignal<readonly AttachmentChip[]>;
  /** What the user works on in the editor. */
  readonly context: ReadonlySignal<EditorContext | undefined>;
  /** The parts of it that are offered: those that are neither attached nor dismissed. */
  readonly offered: ReadonlySignal<readonly OfferedContext[]>;
  attachContext(offered: OfferedContext): Promise<void>;
  /** Offers it no longer, until it is something else. */
  dismiss(offered: OfferedContext): void;
  /** Takes the chips out of the box with a question that is being sent. Returns the function to call with the outcome. */
  send(): (isAccepted: boolean) => void;
  refresh(): Promise<void>;
  detach(id: string): Promise<void>;
  show(id: string): Promise<void>;
  showSent(turnId: string, index: number): Promise<void>;
  /** Returns an attached image as a `data:` URL, of the next question or of one that was sent; `undefined` if that failed. */
  image(
    id: string,
    options: { readonly turnId: string | undefined; readonly tellsError?: boolean },
  ): Promise<string | undefined>;
}

/** A part of what the user works on, with the label that its attachment would have. */
export interface OfferedContext {
  readonly from: 'openFile' | 'selection';
  readonly label: string;
}

export function createAttachments(host: ChatHost, attempt: Attempt): Attachments {
  const all = signal<readonly AttachmentChip[]>([]);
  /** IDs of those on their way to the host, which has them in the box until the question is stored. */
  const sending = signal<ReadonlySet<string>>(new Set());
  const chips = computed(() => all.value.filter(({ id }) => !sending.value.has(id)));
  const context = signal<EditorContext | undefined>(undefined);
  const dismissed = signal<ReadonlySet<string>>(new Set());
  const readContext = async () => {
    // Without it, nothing is offered.
    const answer = await host.call('chat/editorContext', {}).catch((error: unknown) => {
      if (error instanceof HostError) return {};
      throw error;
    });
    context.value = 'context' in answer ? answer.context : undefined;
  };
  host.on('chat/editorContextChanged', () => void readContext());
  host.on('chat/attachmentsChanged', (change) => (all.value = change.chips));
  return {
    chips,
    context,
    offered: computed(() => {
      const { file, selection } = context.value ?? {};
      const all: OfferedContext[] = [
        ...(selection === undefined ? [] : [{ from: 'selection' as const, label: selection }]),
        ...(file === undefined ? [] : [{ from: 'openFile' as const, label: file }]),
      ];
      return all.filter(
        ({ label }) => !dismissed.value.has(label) && !chips.value.some((chip) => chip.label === label),
      );
    }),
    attachContext: async ({ from }) => void (await attempt(host.call('chat/attachContext', { from }))),
    dismiss: ({ label }) => void (dismissed.value = new Set([...dismissed.peek(), label])),
    send() {
      sending.value = new Set(chips.peek().map(({ id }) => id));
      return (isAccepted) => {
        if (isAccepted) all.value = chips.peek();
        sending.value = new Set();
      };
    },
    async refresh() {
      void readContext();
      const answer = await attempt(host.call('chat/attachments', {}));
      if (answer) all.value = answer.chips;
    },
    detach: async (id) => void (await attempt(host.call('chat/detach', { id }))),
    show: async (id) => void (await attempt(host.call('chat/showAttachment', { id }))),
    showSent: async (turnId, index) => void (await attempt(host.call('chat/showSentAttachment', { turnId, index }))),
    image: async (id, { turnId, tellsError = false }) => {
      const call = host.call('chat/attachedImage', { id, ...(turnId !== undefined && { turnId }) });
      // The chip works without its image, and may be gone by now.
      const answer = await (tellsError ? attempt(call) : call.catch(() => undefined));
      return answer?.source;
    },
  };
}

/** What `#` and `/` in the question box offer, and the attachments dropped on the page. */
export interface Offers {
  /** Empty while the list is closed. */
  readonly found: ReadonlySignal<readonly Offer[]>;
  /** Index of the offer that Enter takes; -1 if none, so that Enter sends. */
  readonly active: Signal<number>;
  /** The word that `found` belongs to. */
  readonly word: ReadonlySignal<Mention | undefined>;
  /** Opens, updates or closes the list for this text and cursor. */
  follow(text: string, cursor: number): void;
  /** Closes the list; it stays closed for this word. */
  dismiss(): void;
  /** Takes the active offer. If the list is older than the typed word, takes the first one of the next list instead. */
  choose(take: (offer: Offer) => void): void;
  /** Closes the list, and attaches the offer or runs the command. Resolves with what a command returns; `undefined` if it failed. */
  take(offer: Offer): Promise<{ readonly text?: string; readonly opens?: 'compare' } | undefined>;
  /** Runs the command with this name. Resolves with the text of its prompt; `undefined` if it failed. */
  takeCommand(name: string): Promise<string | undefined>;
  drop(dropped: { readonly uris: readonly string[]; readonly files: readonly DroppedFile[] }): Promise<void>;
}

/** Offers that the page has itself, for what is typed. */
export interface PageOffers {
  readonly matching: (query: string) => readonly Offer[];
  /** Takes one; returns whether it was one of these. */
  readonly take: (offer: Offer) => boolean;
}

export function createOffers(host: ChatHost, attempt: Attempt, own: PageOffers): Offers {
  const found = signal<readonly Offer[]>([]);
  const active = signal(0);
  const word = signal<Mention | undefined>(undefined);
  /** Start of the word whose list the user closed. */
  let dismissed: number | undefined;
  let shownFor: string | undefined;
  let awaiting: ((offer: Offer) => void) | undefined;

  const show = (offers: readonly Offer[]) =>
    batch(() => {
      active.value = word.peek()?.isInWord ? -1 : 0;
      found.value = offers;
    });
  const search = createOfferSearch(host, ({ query, sign }, answered) => {
    const offers = sign === '#' ? [...answered, ...own.matching(query)] : answered;
    shownFor = query;
    show(offers);
    const [first] = offers;
    if (first) awaiting?.(first);
    awaiting = undefined;
  });
  const close = () => {
    search.stop();
    awaiting = undefined;
    word.value = undefined;
    show([]);
  };

  return {
    found,
    active,
    word,
    follow(text, cursor) {
      const now = mentionAt(text, cursor);
      if (now?.start !== dismissed) dismissed = undefined;
      if (!now || dismissed !== undefined) return close();
      const before = word.peek();
      word.value = now;
      if (before?.start === now.start && before.sign === now.sign && before.query === now.query) return;
      awaiting = undefined;
      search.start(now, { isNew: before?.sign !== now.sign });
    },
    dismiss() {
      dismissed = word.peek()?.start;
      close();
    },
    choose(take) {
      const chosen = found.peek()[active.peek()];
      if (active.peek() === 0 && shownFor !== word.peek()?.query) awaiting = take;
      else if (chosen) take(chosen);
    },
    async take(offer) {
      close();
      return own.take(offer) ? {} : attempt(takeOffer(host, offer));
    },
    takeCommand: async (name) => (await attempt(takeNamed(host, name)))?.text,
    drop: async (dropped) => void (await attempt(host.call('chat/drop', dropped))),
  };
}

async function takeNamed(host: ChatHost, query: string): Promise<{ readonly text?: string }> {
  const { offers } = await host.call('chat/commands', { query });
  const command = offers.find(({ kind, name }) => kind !== 'promptFile' && name === query);
  return command ? host.call('chat/takeCommand', { id: command.id }) : {};
}

function takeOffer(host: ChatHost, offer: Offer): Promise<{ readonly text?: string; readonly opens?: 'compare' }> {
  return isCommand(offer)
    ? host.call('chat/takeCommand', { id: offer.id })
    : host.call('chat/attachOffer', { id: offer.id });
}

const isCommand = ({ kind }: Offer): boolean => kind === 'task' || kind === 'promptFile' || kind === 'command';

/** Debounce of the search, because people type faster than they read a list. */
const delayMs = 120;

interface OfferSearch {
  /** Starts a search, replacing the previous one; without a delay if `isNew`, because no list is shown yet. */
  start(word: Mention, options: { readonly isNew: boolean }): void;
  /** Cancels the search. */
  stop(): void;
}

/** Asks the host for possible attachments when typing pauses. */
function createOfferSearch(host: ChatHost, onFound: (word: Mention, offers: readonly Offer[]) => void): OfferSearch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let searching: AbortController | undefined;

  const stop = () => {
    clearTimeout(timer);
    searching?.abort();
    searching = undefined;
  };
  const search = async (word: Mention) => {
    const { query, sign } = word;
    const controller = new AbortController();
    searching = controller;
    const { signal: ended } = controller;
    const list = sign === '/' ? 'chat/commands' : 'chat/offers';
    const answer = await host.call(list, { query }, { signal: ended }).catch(nothingFound);
    if (!ended.aborted) onFound(word, answer.offers);
  };
  return {
    start(word, { isNew }) {
      stop();
      timer = setTimeout(() => void search(word), isNew ? 0 : delayMs);
    },
    stop,
  };
}

/** Treats a canceled or failed search as one without results, because the user keeps typing. */
function nothingFound(error: unknown): { readonly offers: readonly Offer[] } {
  if (error instanceof HostError) return { offers: [] };
  throw error;
}
