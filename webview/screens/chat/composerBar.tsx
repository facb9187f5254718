import * as l10n from '@vscode/l10n';
import { ActionBar, type BarAction } from '../../components/actionBar';
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
