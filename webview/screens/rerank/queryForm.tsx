import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { ModelBox } from '../../components/modelBox';
import { FieldNote } from '../../components/parameter';
import { SelectField } from '../../components/selectField';
import { OptionsPanel } from './optionsPanel';
import { optionsSet } from './form';
import { QueryBox } from './queryBox';
import type { Rerank } from './rerankContext';
import { RunButton } from './runButton';
import { labelled, titled } from '../../../src/protocol/sentences';

/** The query, the model, the split of the text, and the button that ranks. */
export function QueryForm({ rerank }: { readonly rerank: Rerank }) {
  const { session } = rerank;
  return (
    <form
      class="rerank-form"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing || !session.runner.running.peek()) return;
        event.preventDefault();
        session.runner.stop();
      }}
    >
      <QueryBox rerank={rerank} />
      <div class="rerank-choices">
        <Model rerank={rerank} />
        <Split rerank={rerank} />
        <div class="rerank-end">
          <Options rerank={rerank} />
          <RunButton rerank={rerank} />
        </div>
      </div>
    </form>
  );
}

function Model({ rerank: { session, strings } }: { readonly rerank: Rerank }) {
  const id = useId();
  const page = session.page.value;
  const { model } = session.typed.form.value;
  const issue = session.typed.issues.value.model;
  return (
    <div class="rerank-model" title={model}>
      <label class="spoken" for={id}>
        {strings.model}
      </label>
      <ModelBox
        id={id}
        value={model}
        models={page?.models}
        isLoading={page?.modelsAreLoading === true}
        words={strings}
        wanted={session.modelWanted.value}
        describedBy={`${id}-issue`}
        onChange={(value) => session.typed.edit({ model: value })}
      />
      <FieldNote id={`${id}-issue`} issue={issue} />
    </div>
  );
}

function Split({ rerank: { session, strings, number } }: { readonly rerank: Rerank }) {
  const page = session.page.value;
  const splits = page?.splits ?? [];
  return (
    <SelectField
      label={strings.splitBy}
      value={page?.by}
      options={splits.map(({ by, name, count }) => ({
        value: by,
        label: fill(strings.splitChoice, name, number(count)),
      }))}
      disabled={splits.length === 0 || session.runner.running.value !== undefined}
      onChoose={(by) => void session.split(by)}
    />
  );
}

const panelId = 'options-panel';

function Options({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings, number } = rerank;
  const open = useSignal(false);
  const page = session.page.value;
  const { query: _query, model: _model, ...issues } = session.typed.issues.value;
  const isWrong = Object.keys(issues).length > 0;
  const set = page ? optionsSet(session.typed.form.value, page) : 0;
  const name = set === 0 ? strings.options : labelled(strings.options, fill(strings.optionsSet, number(set)));
  return (
    <>
      <button
        type="button"
        class="bar-button bar-options"
        title={isWrong ? titled(name, strings.optionsWrong) : name}
        aria-label={isWrong ? titled(name, strings.optionsWrong) : name}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        aria-controls={open.value ? panelId : undefined}
        onClick={() => (open.value = !open.peek())}
      >
        <Icon name={isWrong ? 'warning' : 'settings-gear'} />
        <span class="rerank-options-name">{name}</span>
      </button>
      <OptionsPanel id={panelId} open={open} rerank={rerank} />
    </>
  );
}
