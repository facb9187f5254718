import { ActionBar, type BarAction } from '../../components/actionBar';
import { fill } from '../../components/fill';
import { Picker } from '../../components/picker';
import type { Chat } from './chatContext';
import './composerBar.css';
import { compareAction } from './compare/compareAction';
import { ComparedButton } from './compare/comparedButton';
import { modelFacts, modelItems, modelName } from './modelNames';
import { parametersAction } from './parametersAction';
import { toolsAction } from './tools/toolsAction';

/**
 * The model, the actions for a question, and Send, which is Stop during an answer. If space is short, the model's name shrinks
 * first, and then moves to a line of its own.
 */
export function ComposerBar({ chat, send }: { readonly chat: Chat; readonly send: () => void }) {
  const { session, strings } = chat;
  const attach: BarAction = {
    id: 'attach',
    icon: 'attach',
    label: strings.attach,
    hint: strings.attachHint,
    room: 'some',
    run: () => void session.attachments.attach(),
  };
  const isCompared = session.comparing.chosen.value.on;
  return (
    <div class="composer-bar">
      {isCompared ? <ComparedButton chat={chat} /> : <ModelPicker chat={chat} />}
      <ActionBar
        actions={[attach, parametersAction(chat), ...(isCompared ? [] : [toolsAction(chat), compareAction(chat)])]}
        moreLabel={strings.composerMore}
      />
      <span class="composer-space" />
      <SendButton chat={chat} send={send} />
    </div>
  );
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
  const { on, models } = session.comparing.chosen.value;
  const count = String(models.length);
  const canSend = session.draft.text.value.trim() !== '' && page?.account === 'ready' && !session.sending.value;
  return (
    <vscode-button
      class="send"
      key="send"
      appearance="primary"
      title={on ? fill(strings.sendToHint, count) : strings.sendHint}
      disabled={!canSend}
      onClick={() => canSend && send()}
    >
      {on ? fill(strings.sendTo, count) : strings.send}
    </vscode-button>
  );
}

function ModelPicker({ chat: { session, strings } }: { readonly chat: Chat }) {
  const page = session.page.value;
  const model = page?.model;
  const isListed = page?.modelsState !== 'ready' || page.models.some(({ id }) => id === model);
  const locale = page?.locale ?? 'en';
  const listed = page?.models.find(({ id }) => id === model);
  const known = listed ? modelFacts(listed, strings, locale) : [];
  const about = isListed ? [model, ...known].join(' · ') : `${model} (${strings.modelGone})`;
  const isLoading = page === undefined || page.modelsState === 'loading' || page.modelsState === 'unknown';
  const name = model === undefined ? strings[isLoading ? 'modelsLoading' : 'chooseModel'] : modelName(model);
  return (
    <Picker
      label={name}
      icon={model === undefined || isListed ? undefined : 'warning'}
      title={model === undefined ? name : fill(strings.model, about)}
      items={modelItems(page?.models ?? [], strings, locale)}
      chosen={model}
      open={session.pickerOpen}
      words={{ search: strings.searchModels, noMatch: strings.noModelMatches }}
      emptyText={isLoading ? strings.modelsLoading : strings.noModels}
      onChoose={(id) => void session.chooseModel(id)}
    />
  );
}
