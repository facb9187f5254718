import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { Picker } from '../../components/picker';
import { AttachmentChips } from './attachmentChips';
import type { Chat } from './chatContext';
import { Fill } from './foldNotes';
import { modelItems, modelName } from './modelNames';
import { SpentLine } from './spentLine';
import { ParametersButton } from './parametersButton';

/** The box, the model, and Send, which is Stop while an answer comes. */
export function Composer({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const box = useRef<HTMLTextAreaElement>(null);
  const text = session.draft.text.value;
  const isRunning = session.running.value !== undefined;

  useFocusWithPage(box);

  const send = () => void session.ask().then(() => session.pickerOpen.peek() || box.current?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends a composition (Chinese, Japanese, Korean) chooses a word; older engines say so by key code 229 only.
    if (event.isComposing || event.keyCode === 229) return;
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
      <AttachmentChips chat={chat} />
      <textarea
        ref={box}
        class="composer-text"
        rows={2}
        dir="auto"
        aria-label={strings.question}
        placeholder={strings.askPlaceholder}
        value={text}
        onInput={(event) => session.draft.set(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-bar">
        <IconButton icon="attach" label={strings.attach} onClick={() => void session.attachments.attach()} />
        <ModelPicker chat={chat} />
        <ParametersButton chat={chat} />
        <Fill chat={chat} />
        <span class="composer-space" />
        {session.conversation.turns.value.length > 0 && (
          <IconButton icon="add" label={strings.newChat} onClick={() => void session.newChat()} />
        )}
        <SendButton chat={chat} send={send} />
      </div>
      <SpentLine chat={chat} />
    </form>
  );
}

/** The box has the focus whenever the page gets it for no other place in it. A page that asks for it itself would take it from what the person is at. */
function useFocusWithPage(box: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const take = () => {
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree) box.current?.focus({ preventScroll: true });
    };
    if (document.hasFocus()) take();
    window.addEventListener('focus', take);
    return () => window.removeEventListener('focus', take);
  }, [box]);
}

function SendButton({ chat: { session, strings }, send }: { readonly chat: Chat; readonly send: () => void }) {
  const page = session.page.value;
  if (session.running.value) {
    return (
      <vscode-button
        class="send"
        key="stop"
        appearance="secondary"
        title={strings.stopHint}
        onClick={() => void session.stop()}
      >
        {strings.stop}
      </vscode-button>
    );
  }
  const canSend = session.draft.text.value.trim() !== '' && page?.account === 'ready' && !session.sending.value;
  return (
    <vscode-button
      class="send"
      key="send"
      appearance="primary"
      title={strings.sendHint}
      disabled={!canSend}
      onClick={() => canSend && send()}
    >
      {strings.send}
    </vscode-button>
  );
}

function ModelPicker({ chat: { session, strings } }: { readonly chat: Chat }) {
  const page = session.page.value;
  const model = page?.model;
  const isListed = page?.modelsState !== 'ready' || page.models.some(({ id }) => id === model);
  const isLoading = page === undefined || page.modelsState === 'loading' || page.modelsState === 'unknown';
  const name = model === undefined ? strings[isLoading ? 'modelsLoading' : 'chooseModel'] : modelName(model);
  return (
    <Picker
      label={name}
      icon={model === undefined || isListed ? undefined : 'warning'}
      title={model === undefined ? name : fill(strings.model, isListed ? model : `${model} (${strings.modelGone})`)}
      items={modelItems(page?.models ?? [], { pinned: strings.pinnedModels, others: strings.otherModels })}
      chosen={model}
      open={session.pickerOpen}
      words={{ search: strings.searchModels, noMatch: strings.noModelMatches }}
      emptyText={isLoading ? strings.modelsLoading : strings.noModels}
      onChoose={(id) => void session.chooseModel(id)}
    />
  );
}
