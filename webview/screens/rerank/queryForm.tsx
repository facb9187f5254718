import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { ModelBox } from '../../components/modelBox';
import { FieldNote } from '../../components/parameter';
import { SelectField } from '../../components/selectField';
import { OptionsPanel } from './optionsPanel';
import { optionsSet } from './form';
import { QueryBox } from './queryBox';
import type { RerankSession } from './session';
import { RunButton } from './runButton';
import { labelled, titled } from '../../../src/protocol/sentences';
import { pageNumber } from '../../components/pageLanguage';

/** The query, the model, the split of the text, and the button that ranks. */
export function QueryForm({ session }: { readonly session: RerankSession }) {
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
      <QueryBox session={session} />
      <div class="rerank-choices">
        <Model session={session} />
        <Split session={session} />
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
  const issue = session.typed.issues.value.model;
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
        words={{
          showModels: l10n.t('Models that rank'),
          noModels: l10n.t('No model of the list fits. The id is sent as it is typed.'),
          modelsLoading: l10n.t('Loading the models…'),
          modelPlaceholder: l10n.t('Choose or type a model'),
        }}
        wanted={session.modelWanted.value}
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
      disabled={splits.length === 0 || session.runner.running.value !== undefined}
      onChoose={(by) => void session.split(by)}
    />
  );
}

const panelId = 'options-panel';

function Options({ session }: { readonly session: RerankSession }) {
  const open = useSignal(false);
  const page = session.page.value;
  const { query: _query, model: _model, ...issues } = session.typed.issues.value;
  const isWrong = Object.keys(issues).length > 0;
  const set = page ? optionsSet(session.typed.form.value, page) : 0;
  const name = set === 0 ? l10n.t('Options') : labelled(l10n.t('Options'), l10n.t('{0} set', pageNumber(set)));
  return (
    <>
      <button
        type="button"
        class="bar-button bar-options"
        title={isWrong ? titled(name, l10n.t('A value is not sent, because it is wrong.')) : name}
        aria-label={isWrong ? titled(name, l10n.t('A value is not sent, because it is wrong.')) : name}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        aria-controls={open.value ? panelId : undefined}
        onClick={() => (open.value = !open.peek())}
      >
        <Icon name={isWrong ? 'warning' : 'settings-gear'} />
        <span class="rerank-options-name">{name}</span>
      </button>
      <OptionsPanel id={panelId} open={open} session={session} />
    </>
  );
}
