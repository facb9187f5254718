import './composerBar.css';
import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AttachmentChips } from './attachmentChips';
import type { Chat } from './chatContext';
import { ComparePopup, compareAction } from './compare/compareAction';
import { CompareLine } from './compare/compareLine';
import { Fill } from './compactionNotes';
import { ParametersPopup, parametersAction } from './parametersAction';
import { useOffers } from './offerList';
import { SpentLine } from './spentLine';
import { ToolsPopup, toolsAction } from './tools/toolsAction';
import { WaitsForYou } from './tools/waitsForYou';
import { ActionBar, type BarAction } from '../../components/actionBar';
import { Picker } from '../../components/picker';
import { ComparedButton } from './compare/comparedButton';
import { modelFacts, modelItems, modelName } from './modelNames';

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

/**
 * The model, the actions for a question, and Send, which is Stop during an answer. If space is short, the model's name shrinks
 * first, and then moves to a line of its own.
 */
function ComposerBar({ chat, send }: { readonly chat: Chat; readonly send: () => void }) {
  const { session } = chat;
  const attach: BarAction = {
    id: 'attach',
    icon: 'attach',
    label: l10n.t('Add to the question…'),
    hint: l10n.t('Add to the question… Or type # there, or drop files here (from the Explorer with Shift held).'),
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
        title={l10n.t('Stop the answer (Escape)')}
        onClick={() => void session.stop()}
      >
        {l10n.t('Stop')}
      </vscode-button>
    );
  }
  const { on, models } = session.comparing.chosen.value;
  const count = String(models.length);
  const canSend = session.draft.text.value.trim() !== '' && page?.account === 'ready' && !session.sending.value;
  return (
    <vscode-button
      class="send"
      key="send"
      appearance="primary"
      title={
        on
          ? l10n.t('Send to {0} models (Enter); Shift+Enter starts a new line', count)
          : l10n.t('Send (Enter); Shift+Enter starts a new line')
      }
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
  const known = listed ? modelFacts(listed, locale) : [];
  const about = isListed ? [model, ...known].join(' · ') : `${model} (${l10n.t('no longer listed')})`;
  const isLoading = page === undefined || page.modelsState === 'loading' || page.modelsState === 'unknown';
  const name =
    model === undefined ? (isLoading ? l10n.t('Loading models') : l10n.t('Choose a model')) : modelName(model);
  return (
    <Picker
      label={name}
      icon={model === undefined || isListed ? undefined : 'warning'}
      title={model === undefined ? name : l10n.t('Model: {0}', about)}
      items={modelItems(page?.models ?? [], locale)}
      chosen={model}
      open={session.pickerOpen}
      words={{ search: l10n.t('Search models'), noMatch: l10n.t('No model matches.') }}
      emptyText={isLoading ? l10n.t('Loading models') : l10n.t('No chat models')}
      onChoose={(id) => void session.chooseModel(id)}
    />
  );
}
