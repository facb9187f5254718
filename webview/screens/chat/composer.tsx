import './composerBar.css';
import './tools/toolCall.css';
import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AttachmentChips } from './attachmentChips';
import type { Chat } from './chatContext';
import { CompareLine, ComparePopup, ComparedButton, compareAction } from './compare/compareAction';
import { ParametersPopup, parametersAction } from './parametersAction';
import { ContextRing } from './contextRing';
import { ToolsPopup, toolsAction } from './tools/toolsAction';
import { WaitsForYou } from './tools/waitsForYou';
import { createMenus, type OpenMenu } from '../../components/menu';
import { ActionBar, ActionButton, type BarAction } from '../../components/actionBar';
import { Picker } from '../../components/picker';
import { columnNames, isLoadingModels, modelFacts, modelItems, modelName, modelWords } from './modelNames';
import { pageList } from '../../components/pageLanguage';
import { Icon } from '../../components/icon';
import { useOffers } from './offerList';
import { useHistoryWalk } from '../../components/historyWalk';
import { focusIfActive } from '../../components/focus';

/** The question box: attachments, text, and a bar for the model and Send. Panels opened from the bar appear above it. */
export function Composer({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusWithPage(box, session.page.value?.account);
  const offers = useOffers(chat, box);
  const send = () => void session.ask().then(() => session.isChoosing || focusIfActive(box.current));
  return (
    <form class="composer" onSubmit={(event) => event.preventDefault()}>
      <WaitsForYou chat={chat} />
      <NotOfferedLine chat={chat} />
      <NoImagesLine chat={chat} />
      <CompareLine chat={chat} />
      <div class="offers-place">{offers.list}</div>
      <div class="composer-box">
        <div class="composer-chips">
          <AttachmentChips chat={chat} />
        </div>
        <QuestionBox chat={chat} box={box} offers={offers} send={send} />
        <ComposerBar chat={chat} send={send} openOffers={offers.open} />
      </div>
      <ParametersPopup chat={chat} />
      <ComparePopup chat={chat} />
      <ToolsPopup chat={chat} />
      <StatusLine chat={chat} />
    </form>
  );
}

/** Below the box: where messages go. Has its height from the start, so that nothing moves. */
function StatusLine({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const page = session.page.value;
  if (!page) return <p class="composer-status" />;
  if (session.canQueue.value) {
    return (
      <p class="composer-status">
        <span class="composer-key">
          <kbd>{l10n.t('Enter')}</kbd> {l10n.t('Queue')}
        </span>
        <span class="composer-key">
          <kbd>{steerKey()}</kbd> {l10n.t('Stop and Send')}
        </span>
      </p>
    );
  }
  const [icon, text] = page.isDemo
    ? (['beaker', l10n.t('Demo: scripted answers, no model')] as const)
    : (['cloud', page.profileName] as const);
  return (
    <p class="composer-status" title={page.isDemo ? text : l10n.t('Messages go only to {0}.', page.profileName)}>
      <Icon name={icon} />
      <span class="composer-account">{text}</span>
      <InstructionsChip chat={chat} />
    </p>
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
        // That of an image alone.
        .filter((question) => question !== '')
        .toReversed(),
    (question) => session.draft.set(question),
  );
  const isNarrow = useIsNarrow();
  const onKeyDown = (event: KeyboardEvent) => {
    if (offers.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      const how = event.ctrlKey || event.metaKey ? 'steer' : 'queue';
      if (session.running.peek() || session.sent.peek()) void session.askNext(how);
      else send();
    } else if (event.key === 'Escape' && session.running.peek()) {
      event.preventDefault();
      void session.stop();
    } else recall.onArrow(event);
  };

  return (
    <textarea
      ref={box}
      class="composer-text"
      rows={1}
      dir="auto"
      aria-label={l10n.t('Question')}
      placeholder={
        isNarrow ? l10n.t('Question, #, or /') : l10n.t('Ask a question. Type # to add context or / for commands.')
      }
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

/** Narrower, the long placeholder would be cut off. */
const narrow = '(max-width: 400px)';

function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const follow = () => setNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isNarrow;
}

interface ComposerBarProps {
  readonly chat: Chat;
  readonly send: () => void;
  readonly openOffers: () => void;
}

/** The model, the actions for a question, how full the context is, and Send, which is Stop during an answer. Only the model's name shrinks. */
function ComposerBar({ chat, send, openOffers }: ComposerBarProps) {
  const { session } = chat;
  const attach: BarAction = {
    id: 'attach',
    icon: 'add',
    label: l10n.t('Add Context…'),
    hint: l10n.t('Add Context… Or type # or drop files (hold Shift to drop from the Explorer).'),
    room: 'some',
    run: openOffers,
  };
  const isCompared = session.comparing.chosen.value.on;
  const actions = [...(isCompared ? [] : [toolsAction(chat)]), parametersAction(chat)];
  return (
    <div class="composer-bar">
      <ActionButton action={attach} />
      {isCompared ? <ComparedButton chat={chat} /> : <ModelPicker chat={chat} />}
      <ActionBar actions={[...actions, ...(isCompared ? [] : [compareAction(chat)])]} moreLabel={l10n.t('More')} />
      <span class="composer-space" />
      <ContextRing chat={chat} />
      <SendButton chat={chat} send={send} />
    </div>
  );
}

/** The key that stops the answer and sends the message, as it is labeled on this system. */
const steerKey = (): string => (navigator.userAgent.includes('Mac') ? '⌘Enter' : l10n.t('Ctrl+Enter'));

function SendButton({ chat, send }: { readonly chat: Chat; readonly send: () => void }) {
  const { session } = chat;
  const page = session.page.value;
  if (session.running.value) {
    const canQueue = session.canQueue.value;
    return (
      <>
        <button
          type="button"
          class={canQueue ? 'send send-quiet' : 'send'}
          key="stop"
          title={l10n.t('Stop Response (Escape)')}
          onClick={() => void session.stop()}
        >
          <Icon name="debug-stop" />
          <span class="spoken">{l10n.t('Stop')}</span>
        </button>
        {canQueue && <NextButtons chat={chat} />}
      </>
    );
  }
  const { length } = session.comparing.models.value;
  const on = session.comparing.chosen.value.on && length >= 2;
  const count = String(length);
  const canSend = session.hasQuestion.value && page?.account === 'ready' && !session.sent.value;
  return (
    <button
      type="button"
      class="send"
      key="send"
      title={on ? l10n.t('Send to {0} Models (Enter)', count) : l10n.t('Send (Enter)')}
      disabled={!canSend}
      onClick={() => canSend && send()}
    >
      <Icon name="arrow-up" />
      <span class="spoken">{on ? l10n.t('Send to {0} Models', count) : l10n.t('Send')}</span>
    </button>
  );
}

/** During an answer, while text is typed: queues it, with a menu for the other way to send it. */
function NextButtons({ chat: { session } }: { readonly chat: Chat }) {
  const menus = useRef<OpenMenu>(undefined);
  const open = (button: HTMLElement) => {
    menus.current ??= createMenus(button.closest('main') ?? document.body);
    menus.current(button, [
      { label: l10n.t('Queue Message ({0})', l10n.t('Enter')), run: () => void session.askNext('queue') },
      { label: l10n.t('Stop Response and Send ({0})', steerKey()), run: () => void session.askNext('steer') },
    ]);
  };
  return (
    <span class="steer">
      <button
        type="button"
        class="steer-button"
        title={l10n.t('Queue Message ({0})', l10n.t('Enter'))}
        onClick={() => void session.askNext('queue')}
      >
        <Icon name="arrow-up" />
        <span class="spoken">{l10n.t('Queue Message')}</span>
      </button>
      <button
        type="button"
        class="steer-button steer-more"
        title={l10n.t('Choose How to Send')}
        aria-label={l10n.t('Choose How to Send')}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={({ currentTarget }) => open(currentTarget)}
      >
        <Icon name="chevron-down" />
      </button>
    </span>
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

/** Shown above the question box while an image is attached that a model of the next question is not known to accept. */
function NoImagesLine({ chat }: { readonly chat: Chat }) {
  const words = noImagesWords(chat);
  useEffect(() => {
    if (words !== undefined) chat.announcer.say(words);
  }, [chat, words]);
  if (words === undefined) return null;
  return (
    <div class="waits" data-line="images">
      <Icon name="warning" />
      <p class="waits-text">{words}</p>
      <button type="button" class="link waits-go" onClick={() => chat.session.choose()}>
        {l10n.t('Choose Model')}
      </button>
    </div>
  );
}

function noImagesWords({ session }: Chat): string | undefined {
  const page = session.page.value;
  if (!page || session.attachments.chips.value.every(({ kind }) => kind !== 'image')) return undefined;
  const models = page.comparing.on ? session.comparing.models.value : page.model === undefined ? [] : [page.model];
  const without = (known: false | undefined) =>
    models.filter((id) => page.models.find((model) => model.id === id)?.images === known);
  const [refusing, unknown] = [without(false), without(undefined)];
  if (refusing.length > 0) return l10n.t("{0} doesn't support images.", pageList(columnNames(refusing)));
  return unknown.length > 0 ? l10n.t('{0} might not support images.', pageList(columnNames(unknown))) : undefined;
}

function notOfferedWords({ session }: Chat): string | undefined {
  const { notOffered = [], model, profileName = '', comparing } = session.page.value ?? {};
  if (notOffered.length === 0) return undefined;
  const names = pageList(columnNames(notOffered));
  if (comparing?.on) return l10n.t("{0} doesn't offer {1}.", profileName, names);
  return model === undefined
    ? l10n.t("{0} doesn't offer {1}. Choose another model.", profileName, names)
    : l10n.t("{0} doesn't offer {1}. Next model: {2}.", profileName, names, modelName(model));
}

/** The instructions that are sent with each request, which a press turns off for this conversation. Nothing if there are none. */
function InstructionsChip({ chat: { session } }: { readonly chat: Chat }) {
  const { host } = session;
  const found = useSignal<{ readonly sources: readonly string[]; readonly isOn: boolean } | undefined>(undefined);
  const conversationId = session.page.value?.conversationId;
  useEffect(() => {
    let isOver = false;
    const read = () =>
      void host.call('chat/instructions', {}).then(
        (answer) => !isOver && (found.value = answer),
        () => undefined,
      );
    read();
    // The files may have changed in the meantime.
    window.addEventListener('focus', read);
    return () => {
      isOver = true;
      window.removeEventListener('focus', read);
    };
  }, [host, found, conversationId]);
  const { sources = [], isOn = true } = found.value ?? {};
  const [first] = sources;
  if (first === undefined) return null;
  const name = first.startsWith('inferenceDesk.') ? l10n.t('Instructions') : (first.split('/').at(-1) ?? first);
  const label = sources.length > 1 ? `${name} +${sources.length - 1}` : name;
  const hint = isOn
    ? l10n.t('Sent with each request. Select to turn off in this conversation.')
    : l10n.t('Not sent. Select to turn on in this conversation.');
  const turn = async () => {
    if (!(await session.attempt(host.call('chat/useInstructions', { isOn: !isOn })))) return;
    found.value = { sources, isOn: !isOn };
  };
  return (
    <button
      type="button"
      class={`instructions-chip${isOn ? '' : ' instructions-off'}`}
      aria-pressed={isOn}
      title={[...sources, hint].join('\n')}
      onClick={() => void turn()}
    >
      <Icon name="book" />
      <span class="composer-account">{label}</span>
    </button>
  );
}
