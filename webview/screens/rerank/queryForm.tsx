import * as l10n from '@vscode/l10n';
import { useSignal, type Signal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { focusIfActive, useFocusAtStart } from '../../components/focus';
import { useHistoryWalk } from '../../components/historyWalk';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { ModelBox } from '../../components/modelBox';
import { FieldNote } from '../../components/parameter';
import { nextIndex } from '../../components/pickerItems';
import { SelectField } from '../../components/selectField';
import { optionsSet, obstacleText, notTakenBy, type RerankSession } from './session';
import { labelled, titled } from '../../../src/protocol/sentences';
import { pageNumber } from '../../components/pageLanguage';
import { mostOverlapTokens } from '../../../src/protocol/rerankForm';
import type { RerankField } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { NumberField, TextField } from '../../components/parameterFields';

/** The query, the model, the split of the text, and the button that ranks. */
export function QueryForm({ session }: { readonly session: RerankSession }) {
  return (
    <form
      class="rerank-form"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !session.running.peek()) return;
        event.preventDefault();
        session.stop();
      }}
    >
      <QueryBox session={session} />
      <div class="rerank-choices">
        <Model session={session} />
        <Split session={session} />
        <Columns session={session} />
        <div class="rerank-end">
          <Options session={session} />
          <RunButton session={session} />
        </div>
      </div>
    </form>
  );
}

function Model({ session }: { readonly session: RerankSession }) {
  const id = useId();
  const page = session.page.value;
  const { model } = session.typed.form.value;
  const issue = session.typed.answer.value.model;
  return (
    <div class="rerank-model" title={model}>
      <label class="spoken" for={id}>
        {l10n.t('Model')}
      </label>
      <ModelBox
        id={id}
        value={model}
        models={page?.models}
        isLoading={page?.modelsAreLoading === true}
        focusRequests={session.focusRequests.value}
        describedBy={`${id}-issue`}
        onChange={(value) => session.typed.edit({ model: value })}
      />
      <FieldNote id={`${id}-issue`} issue={issue} />
    </div>
  );
}

function Split({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  const splits = page?.splits ?? [];
  return (
    <SelectField
      label={l10n.t('Split into')}
      value={page?.by}
      options={splits.map(({ by, name, count }) => ({
        value: by,
        label: l10n.t('{0} ({1})', name, pageNumber(count)),
      }))}
      disabled={splits.length === 0 || session.running.value !== undefined}
      onChoose={(by) => void session.split(by)}
    />
  );
}

/** Chooses which columns of a table are sent. */
function Columns({ session }: { readonly session: RerankSession }) {
  const id = useId();
  const open = useSignal(false);
  const { by, columns = [] } = session.page.value ?? {};
  if (by === undefined || columns.length === 0) return null;
  const sent = columns.filter(({ isSent }) => isSent);
  const counts = l10n.t('{0} of {1}', pageNumber(sent.length), pageNumber(columns.length));
  const toggle = (name: string, isSent: boolean) => {
    // Several may be chosen before they are drawn.
    const all = session.page.peek()?.columns ?? columns;
    const chosen = all.filter((one) => (one.name === name ? isSent : one.isSent));
    void session.split(
      by,
      chosen.map((one) => one.name),
    );
  };
  return (
    <>
      <button
        type="button"
        class="bar-button bar-columns"
        aria-haspopup="dialog"
        aria-expanded={open.value}
        aria-controls={open.value ? id : undefined}
        disabled={session.running.value !== undefined}
        onClick={() => (open.value = !open.peek())}
      >
        <Icon name="table" />
        {labelled(l10n.t('Columns'), counts)}
      </button>
      <BarPanel
        action="columns"
        id={id}
        open={open}
        title={l10n.t('Columns to send')}
        closeLabel={l10n.t('Close')}
        focus="input:not(:disabled)"
      >
        {columns.map(({ name, isSent }) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              checked={isSent}
              disabled={isSent && sent.length === 1}
              onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
            />
            <bdi class="rerank-column">{name}</bdi>
          </label>
        ))}
      </BarPanel>
    </>
  );
}

const optionsPanelId = 'options-panel';

function Options({ session }: { readonly session: RerankSession }) {
  const open = useSignal(false);
  const page = session.page.value;
  const { query: _query, model: _model, ...issues } = session.typed.answer.value;
  const isWrong = Object.keys(issues).length > 0;
  const set = page ? optionsSet(session.typed.form.value, page) : 0;
  const name = set === 0 ? l10n.t('Options') : labelled(l10n.t('Options'), l10n.t('{0} set', pageNumber(set)));
  return (
    <>
      <button
        type="button"
        class="bar-button bar-options"
        title={isWrong ? titled(name, l10n.t("An option is invalid and won't be sent.")) : name}
        aria-label={isWrong ? titled(name, l10n.t("An option is invalid and won't be sent.")) : name}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        aria-controls={open.value ? optionsPanelId : undefined}
        onClick={() => (open.value = !open.peek())}
      >
        <Icon name={isWrong ? 'warning' : 'settings-gear'} />
        <span class="rerank-options-name">{name}</span>
      </button>
      <OptionsPanel id={optionsPanelId} open={open} session={session} />
    </>
  );
}

/** The Rerank button, which is Stop during a run; beside it the progress, or the obstacle. */
function RunButton({ session }: { readonly session: RerankSession }) {
  const running = session.running.value;
  const obstacle = session.obstacle.value;
  if (running) {
    const { text, done, total } = running;
    return (
      <span class="rerank-run">
        <span class="rerank-running">
          {text}
          {total > 0 && <progress class="reading-bar" aria-label={text} max={total} value={done} />}
        </span>
        <vscode-button key="stop" appearance="secondary" title={l10n.t('Stop (Escape)')} onClick={() => session.stop()}>
          {l10n.t('Stop')}
        </vscode-button>
      </span>
    );
  }
  const canRun = obstacle === undefined && !session.reading.value;
  return (
    <span class="rerank-run">
      <span class={`rerank-muted rerank-obstacle-${obstacle ?? 'none'}`} id="run-about">
        {obstacle && obstacleText(obstacle)}
      </span>
      <vscode-button
        key="run"
        appearance="primary"
        title={l10n.t('Rerank (Enter)')}
        aria-describedby="run-about"
        disabled={!canRun}
        onClick={() => canRun && void session.run()}
      >
        {l10n.t('Rerank')}
      </vscode-button>
    </span>
  );
}

interface OptionsPanelProps {
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly session: RerankSession;
}

/** The parameters of the request. One that the model does not support keeps its value and says why it is not sent. */
function OptionsPanel({ id, open, session }: OptionsPanelProps) {
  const { form } = session.typed;
  return (
    <BarPanel
      action="options"
      id={id}
      open={open}
      title={l10n.t('Options')}
      closeLabel={l10n.t('Close')}
      focus=":is(input, textarea):not(:disabled)"
    >
      <NumberField
        {...fieldOf(session, 'top_n')}
        label={l10n.t('Maximum results (top_n)')}
        hint={l10n.t('Leave empty to return all documents.')}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={form.value.return_documents}
          onChange={({ currentTarget }) => session.typed.edit({ return_documents: currentTarget.checked })}
        />
        {l10n.t('Return document text (return_documents)')}
      </label>
      <NumberField
        {...fieldOf(session, 'max_chunks_per_doc')}
        label={l10n.t('Maximum chunks per document (max_chunks_per_doc)')}
        hint={l10n.t("A document's score is the score of its best chunk.")}
      />
      <NumberField
        {...fieldOf(session, 'overlap_tokens')}
        label={l10n.t('Chunk overlap in tokens (overlap_tokens)')}
        hint={l10n.t('From 0 to {0}.', pageNumber(mostOverlapTokens))}
      />
      <TextField
        {...fieldOf(session, 'instruction')}
        label={l10n.t('Instruction (instruction)')}
        hint={l10n.t('Tells the model how to rate documents.')}
      />
    </BarPanel>
  );
}

function fieldOf(session: RerankSession, name: RerankField) {
  const page = session.page.value;
  const form = session.typed.form.value;
  const notTaken = page && notTakenBy(form, page)[name];
  const issue = notTaken === undefined ? session.typed.answer.value[name] : undefined;
  return {
    value: form[name],
    placeholder: l10n.t('Default'),
    disabled: notTaken !== undefined,
    note: { issue, notTaken },
    onInput: (value: string) => session.typed.edit({ [name]: value }),
  };
}

const historyPanelId = 'history-panel';

/** The query, in a box that grows with it. Enter runs it; the arrow keys recall earlier queries. */
function QueryBox({ session }: { readonly session: RerankSession }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const open = useSignal(false);
  const issue = session.typed.answer.value.query;
  const keys = useQueryKeys(session);
  useFocusAtStart(box, session.page.value !== undefined);
  return (
    <div class="rerank-query">
      <div class="rerank-query-box">
        <textarea
          ref={box}
          class="rerank-query-text"
          rows={1}
          dir="auto"
          aria-label={l10n.t('Query')}
          aria-invalid={issue !== undefined}
          aria-describedby="query-issue"
          placeholder={l10n.t("Describe what you're looking for")}
          value={session.typed.form.value.query}
          onInput={({ currentTarget }) => {
            keys.leave();
            session.typed.edit({ query: currentTarget.value });
          }}
          onPointerDown={keys.leave}
          onKeyDown={keys.onKeyDown}
        />
        <button
          type="button"
          class="icon-button bar-history"
          title={l10n.t('Recent Queries')}
          aria-label={l10n.t('Recent Queries')}
          aria-haspopup="dialog"
          aria-expanded={open.value}
          aria-controls={open.value ? historyPanelId : undefined}
          onClick={() => (open.value = !open.peek())}
        >
          <Icon name="history" />
        </button>
      </div>
      <FieldNote id="query-issue" issue={issue} />
      <HistoryPanel
        id={historyPanelId}
        open={open}
        session={session}
        onChoose={(query) => {
          keys.leave();
          session.typed.edit({ query });
          box.current?.focus();
        }}
      />
    </div>
  );
}

function useQueryKeys(session: RerankSession) {
  const walk = useHistoryWalk(
    () => session.page.peek()?.history ?? [],
    (query) => session.typed.edit({ query }),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void session.run();
    } else walk.onArrow(event);
  };
  return { onKeyDown, leave: walk.leave };
}

interface HistoryPanelProps {
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly session: RerankSession;
  readonly onChoose: (query: string) => void;
}

/** Earlier queries, newest first; each can be removed. */
function HistoryPanel({ id, open, session, onChoose }: HistoryPanelProps) {
  const list = useRef<HTMLUListElement>(null);
  const history = session.page.value?.history ?? [];
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('.rerank-earlier') ?? [])];
  const forget = async (query: string, at: number) => {
    await session.forgetQuery(query);
    const left = buttons();
    focusIfActive(left[Math.min(at, left.length - 1)] ?? document.querySelector<HTMLElement>('.bar-history'));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = buttons().findIndex((button) => button === document.activeElement);
    const next = at === -1 ? undefined : nextIndex(event.key, at, history.length);
    const query = history[at];
    if (next !== undefined) buttons()[next]?.focus();
    else if (event.key === 'Delete' && query !== undefined) void forget(query, at);
    else return;
    event.preventDefault();
  };
  return (
    <BarPanel
      action="history"
      id={id}
      open={open}
      title={l10n.t('Recent Queries')}
      closeLabel={l10n.t('Close')}
      focus={history.length > 0 ? '.rerank-earlier' : '.icon-button'}
    >
      {history.length === 0 && <p class="rerank-muted">{l10n.t('No queries yet.')}</p>}
      <ul class="rerank-history" ref={list} onKeyDown={onKeyDown}>
        {history.map((query, at) => (
          <li class="rerank-history-item" key={query}>
            <button
              type="button"
              class="rerank-earlier"
              title={query}
              onClick={() => {
                open.value = false;
                onChoose(query);
              }}
            >
              <bdi>{query}</bdi>
            </button>
            <IconButton
              icon="close"
              label={l10n.t('Remove "{0}" (Delete)', query)}
              onClick={() => void forget(query, at)}
            />
          </li>
        ))}
      </ul>
    </BarPanel>
  );
}
