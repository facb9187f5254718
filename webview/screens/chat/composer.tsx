import './composerBar.css';
import './offerList.css';
import './tools/toolCall.css';
import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { AttachmentChips } from './attachmentChips';
import type { Chat } from './chatContext';
import { CompareLine, ComparePopup, ComparedButton, compareAction } from './compare/compareAction';
import { Fill } from './compactionNotes';
import { ParametersPopup, parametersAction } from './parametersAction';
import { SpentLine } from './spentLine';
import { ToolsPopup, toolsAction } from './tools/toolsAction';
import { WaitsForYou } from './tools/waitsForYou';
import { ActionBar, type BarAction } from '../../components/actionBar';
import { Picker } from '../../components/picker';
import {
  columnNames,
  isLoadingModels,
  modelFacts,
  modelItems,
  modelName,
  modelWords,
  shortenMiddle,
} from './modelNames';
import { pageList, pageNumber } from '../../components/pageLanguage';
import type { Offer } from '../../../src/protocol/chatOffers';
import { caretPosition } from '../../components/caretPosition';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { useHistoryWalk } from '../../components/historyWalk';
import { nextIndex } from '../../components/pickerItems';
import { withoutWord } from './mention';
import { focusIfActive } from '../../components/focus';

/** The question box, with a bar for the model and Send below it. Panels opened from the bar appear above it. */
export function Composer({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusWithPage(box, session.page.value?.account);
  const offers = useOffers(chat, box);
  const send = () => void session.ask().then(() => session.isChoosing || focusIfActive(box.current));
  return (
    <form class="composer" onSubmit={(event) => event.preventDefault()}>
      {session.page.value?.isDemo && <p class="demo-badge">{l10n.t('Demo: scripted answers, no model')}</p>}
      <WaitsForYou chat={chat} />
      <AttachmentChips chat={chat} />
      <NotOfferedLine chat={chat} />
      <CompareLine chat={chat} />
      <QuestionBox chat={chat} box={box} offers={offers} send={send} />
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

interface QuestionBoxProps {
  readonly chat: Chat;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly offers: ReturnType<typeof useOffers>;
  readonly send: () => void;
}

/** The text of the question. Enter sends it; the arrow keys recall earlier questions; `#` and `/` open a list. */
function QuestionBox({ chat: { session }, box, offers, send }: QuestionBoxProps) {
  const recall = useHistoryWalk(
    () =>
      session.conversation.turns
        .peek()
        .map(({ question }) => question)
        .toReversed(),
    (question) => session.draft.set(question),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (offers.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && session.running.peek()) {
      event.preventDefault();
      void session.stop();
    } else recall.onArrow(event);
  };

  return (
    <textarea
      ref={box}
      class="composer-text"
      rows={2}
      dir="auto"
      aria-label={l10n.t('Question')}
      placeholder={l10n.t('Ask a question. Type # to add context or / for commands.')}
      value={session.draft.text.value}
      onInput={(event) => {
        recall.leave();
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
  );
}

/**
 * Focuses the box whenever the page gets the focus without any other element having it, and when the focused element disappears
 * because the account's state changes. Never takes the focus from outside the page, which would interrupt the user.
 */
function useFocusWithPage(box: RefObject<HTMLTextAreaElement | null>, account: string | undefined): void {
  // Not after the next frame: `retainFocus` may have given the focus to something else by then.
  useLayoutEffect(() => {
    const take = () => {
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree) box.current?.focus({ preventScroll: true });
    };
    if (document.hasFocus()) take();
    window.addEventListener('focus', take);
    return () => window.removeEventListener('focus', take);
  }, [box, account]);
}

/**
 * The model, the actions for a question, and Send, which is Stop during an answer. If space is short, the model's name shrinks
 * first, and then moves to a line of its own.
 */
function ComposerBar({ chat, send }: { readonly chat: Chat; readonly send: () => void }) {
  const { session } = chat;
  const attach: BarAction = {
    id: 'attach',
    icon: 'attach',
    label: l10n.t('Add Context…'),
    hint: l10n.t('Add Context… You can also type # or drop files here. From the Explorer, hold Shift.'),
    room: 'some',
    run: () => void session.attachments.attach(),
  };
  const isCompared = session.comparing.chosen.value.on;
  return (
    <div class="composer-bar">
      {isCompared ? <ComparedButton chat={chat} /> : <ModelPicker chat={chat} />}
      <ActionBar
        actions={[attach, parametersAction(chat), ...(isCompared ? [] : [toolsAction(chat), compareAction(chat)])]}
        moreLabel={l10n.t('More')}
      />
      <span class="composer-space" />
      <SendButton chat={chat} send={send} />
    </div>
  );
}

function SendButton({ chat: { session }, send }: { readonly chat: Chat; readonly send: () => void }) {
  const page = session.page.value;
  if (session.running.value) {
    return (
      <vscode-button
        class="send"
        key="stop"
        appearance="secondary"
        title={l10n.t('Stop Response (Escape)')}
        onClick={() => void session.stop()}
      >
        {l10n.t('Stop')}
      </vscode-button>
    );
  }
  const { length } = session.comparing.asked.value;
  const on = session.comparing.chosen.value.on && length >= 2;
  const count = String(length);
  const canSend = session.draft.text.value.trim() !== '' && page?.account === 'ready' && !session.sending.value;
  return (
    <vscode-button
      class="send"
      key="send"
      appearance="primary"
      title={on ? l10n.t('Send to {0} Models (Enter)', count) : l10n.t('Send (Enter)')}
      disabled={!canSend}
      onClick={() => canSend && send()}
    >
      {on ? l10n.t('Send to {0}', count) : l10n.t('Send')}
    </vscode-button>
  );
}

function ModelPicker({ chat: { session } }: { readonly chat: Chat }) {
  const page = session.page.value;
  const model = page?.model;
  const isListed = page?.modelsState !== 'ready' || page.models.some(({ id }) => id === model);
  const locale = page?.locale ?? 'en';
  const listed = page?.models.find(({ id }) => id === model);
  const known = listed ? modelFacts(listed) : [];
  const about = isListed ? [model, ...known].join(' · ') : `${model} (${l10n.t('unlisted')})`;
  const name =
    model === undefined
      ? isLoadingModels(page)
        ? l10n.t('Loading models…')
        : l10n.t('Choose Model')
      : modelName(model);
  return (
    <Picker
      label={name}
      icon={model === undefined || isListed ? undefined : 'warning'}
      title={model === undefined ? name : l10n.t('Model: {0}', about)}
      items={modelItems(page?.models ?? [], locale)}
      chosen={model}
      open={session.pickerOpen}
      words={modelWords(page)}
      onChoose={(id) => void session.chooseModel(id)}
    />
  );
}

const icons: Readonly<Record<Offer['kind'], IconName>> = {
  selection: 'selection',
  openFile: 'file',
  problems: 'warning',
  terminal: 'terminal',
  changes: 'diff',
  file: 'file',
  folder: 'folder',
  task: 'wand',
  promptFile: 'comment-discussion',
  command: 'chevron-right',
};

/** Maximum length in characters; both ends of a path are shown. */
const maxDetail = 40;

/** Opens a list of possible attachments when `#` is typed in the question box, and of commands for `/`. The box keeps the focus. */
function useOffers(chat: Chat, box: RefObject<HTMLTextAreaElement | null>) {
  const { offers, draft } = chat.session;
  const id = useId();
  const found = offers.found.value;
  const isOpen = found.length > 0;

  const take = (offer: Offer) => {
    const [word, field] = [offers.word.peek(), box.current];
    if (word && field) {
      const rest = withoutWord(field.value, word);
      field.value = rest.text;
      field.setSelectionRange(rest.cursor, rest.cursor);
      draft.set(rest.text);
    }
    void offers.take(offer).then((taken) => {
      if (taken?.opens === 'compare') chat.session.comparing.open.value = true;
      if (taken?.text === undefined || !field) return;
      const at = Math.min(word?.start ?? 0, field.value.length);
      const after = field.value.slice(at);
      field.value = `${field.value.slice(0, at)}${taken.text}${after === '' || /^\s/.test(after) ? '' : ' '}${after}`;
      field.setSelectionRange(at + taken.text.length, at + taken.text.length);
      draft.set(field.value);
    });
  };
  return {
    /** Attributes for the question box. HTML does not allow a multi-line box to be a combobox, but it may announce a list. */
    attributes: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      ...(isOpen && {
        'aria-controls': id,
        ...(offers.active.value >= 0 && { 'aria-activedescendant': `${id}-${offers.active.value}` }),
      }),
    } as const,
    /** Call it whenever the text or the cursor may have changed. */
    follow: () => box.current && offers.follow(box.current.value, box.current.selectionStart),
    leave: () => offers.dismiss(),
    /** Returns whether the list handled the key. */
    onKey(event: KeyboardEvent): boolean {
      if (!isOpen) return false;
      const moved = nextIndex(event.key, offers.active.peek(), found.length);
      const isChoosing = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey;
      if (moved !== undefined) offers.active.value = moved;
      else if (isChoosing && offers.active.peek() >= 0) offers.choose(take);
      else if (event.key === 'Escape') offers.dismiss();
      else return false;
      event.preventDefault();
      return true;
    },
    list: isOpen && <OfferList chat={chat} box={box} id={id} take={take} />,
  };
}

interface OfferListProps {
  readonly chat: Chat;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly id: string;
  readonly take: (offer: Offer) => void;
}

function OfferList({ chat: { session, announcer }, box, id, take }: OfferListProps) {
  const { found, active, word } = session.offers;
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => announcer.say(l10n.t('{0} suggestions. Use the arrow keys to choose.', pageNumber(found.peek().length))),
    [announcer, found],
  );
  const start = word.value?.start;
  useLayoutEffect(() => {
    if (list.current && box.current && start !== undefined) putAbove(list.current, box.current, start);
  }, [box, start, found.value]);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active.value, found.value]);

  return (
    <div
      class="offers"
      role="listbox"
      id={id}
      aria-label={word.value?.sign === '/' ? l10n.t('Commands') : l10n.t('Context to add')}
      ref={list}
    >
      {found.value.map((offer, index) => (
        <div
          key={offer.id}
          id={`${id}-${index}`}
          class="offer"
          role="option"
          aria-selected={index === active.value}
          title={[offer.detail, offer.name].filter(Boolean).join('/')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          <Icon name={icons[offer.kind]} />
          <bdi class="offer-name">{offer.name}</bdi>
          <bdi class="offer-detail">{shortenMiddle(offer.detail, maxDetail)}</bdi>
        </div>
      ))}
    </div>
  );
}

/** Positions the list above the line of the `#`, within the frame of both. */
function putAbove(list: HTMLElement, box: HTMLTextAreaElement, start: number): void {
  const frame = list.offsetParent;
  if (!(frame instanceof HTMLElement)) return;
  const { left, top } = caretPosition(box, start);
  const most = frame.clientWidth - list.offsetWidth - box.offsetLeft;
  list.style.left = `${Math.max(box.offsetLeft, Math.min(box.offsetLeft + left, most))}px`;
  list.style.bottom = `${frame.clientHeight - box.offsetTop - Math.max(0, top) + 2}px`;
}

/** Shown above the question box while the account does not offer what the conversation asked so far: says where the next question goes. */
export function NotOfferedLine({ chat }: { readonly chat: Chat }) {
  const words = notOfferedWords(chat);
  useEffect(() => {
    if (words !== undefined) chat.announcer.say(words);
  }, [chat, words]);
  if (words === undefined) return null;
  return (
    <div class="waits">
      <Icon name="warning" />
      <p class="waits-text">{words}</p>
    </div>
  );
}

function notOfferedWords({ session }: Chat): string | undefined {
  const { notOffered = [], model, profileName = '', comparing } = session.page.value ?? {};
  if (notOffered.length === 0) return undefined;
  const names = pageList(columnNames(notOffered));
  if (comparing?.on) return l10n.t("{0} doesn't offer {1}.", profileName, names);
  return model === undefined
    ? l10n.t("{0} doesn't offer {1}. Choose another model.", profileName, names)
    : l10n.t("{0} doesn't offer {1}. The next question goes to {2}.", profileName, names, modelName(model));
}
