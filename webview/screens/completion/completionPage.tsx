import { useId } from 'preact/hooks';
import type { CompletionTab, CompletionView } from '../../../src/protocol/completion';
import { ComboBox } from '../../components/comboBox';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { FieldNote } from '../../components/parameter';
import { PresetBar } from '../../components/presetBar';
import { Tabs } from '../../components/tabs';
import { BrokenNote } from './brokenNote';
import type { Completing } from './completionContext';
import { FormTab } from './formTab';
import { JsonTab } from './jsonTab';
import { RunBar } from './runBar';
import { labelled } from '../../../src/protocol/sentences';

const panelId = 'completion-values';

/** The parameters of completions, as a form or as JSON, a preview of the request, and the text it is for. */
export function CompletionPage({ completing }: { readonly completing: Completing }) {
  const { session, strings } = completing;
  const view = session.view.value;
  return (
    <>
      <div class="completion-body">
        <div class="completion-column">
          <header class="completion-head">
            <h1>{strings.heading}</h1>
            <p class="completion-muted">{strings.about}</p>
          </header>
          <Trouble completing={completing} />
          {view ? <Values completing={completing} view={view} /> : <p class="completion-muted">{strings.loading}</p>}
        </div>
      </div>
      {view && <RunBar completing={completing} target={view.target} />}
    </>
  );
}

function Trouble({ completing: { session } }: { readonly completing: Completing }) {
  const trouble = session.trouble.value;
  if (!trouble) return null;
  return <Note tone="error" {...trouble} onAct={(id) => void session.act(id)} />;
}

interface ValuesProps {
  readonly completing: Completing;
  readonly view: CompletionView;
}

function Values({ completing, view }: ValuesProps) {
  const { session, strings, announcer } = completing;
  const tab = session.tab.value;
  const wrong = view.textIssues.length;
  const countSet = fill(strings.countSet, view.count);
  const countIssues = wrong === 0 ? '' : fill(strings.countIssues, wrong);
  return (
    <>
      <div class="completion-top">
        <Model completing={completing} view={view} />
        <PresetBar
          presets={() => session.view.value?.presets ?? []}
          words={strings}
          actions={session}
          announcer={announcer}
        />
      </div>
      <div class="completion-tabs">
        <Tabs<CompletionTab>
          label={strings.tabs}
          tabs={[
            { id: 'form', label: strings.form, count: countSet },
            { id: 'json', label: strings.json, count: countIssues },
          ]}
          chosen={tab}
          panelId={panelId}
          onChoose={(id) => session.choose(id)}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'form' && view.isBroken && <BrokenNote completing={completing} view={view} />}
        {tab === 'form' ? (
          <FormTab completing={completing} view={view} />
        ) : (
          <JsonTab completing={completing} view={view} />
        )}
      </div>
      <section class="completion-section" aria-labelledby="preview-heading">
        <h2 id="preview-heading">{strings.preview}</h2>
        <p class="completion-muted">{strings.previewHint}</p>
        <pre class="completion-preview" tabIndex={0} aria-labelledby="preview-heading" dir="ltr">
          {view.preview}
        </pre>
      </section>
    </>
  );
}

function Model({ completing: { session, strings }, view }: ValuesProps) {
  const id = useId();
  const automatic = view.automatic === '' ? strings.automatic : fill(strings.automaticIs, view.automatic);
  return (
    <div class="completion-model">
      <label class="parameter-label" for={id}>
        {strings.model}
      </label>
      <ComboBox
        id={id}
        value={session.model.value}
        items={session.models.value}
        words={{ show: strings.showModels, noMatch: strings.noModels, placeholder: automatic }}
        describedBy={`${id}-about`}
        onOpen={() => void session.loadModels()}
        onChange={(model) => session.setModel(model)}
      />
      <ModelNote id={`${id}-about`} completing={{ session, strings }} view={view} />
    </div>
  );
}

interface ModelNoteProps {
  readonly id: string;
  readonly completing: Pick<Completing, 'session' | 'strings'>;
  readonly view: CompletionView;
}

/** The warning about the model, and its refusal of a parameter that has no field of its own. */
function ModelNote({ id, completing: { session, strings }, view }: ModelNoteProps) {
  const refusal = view.notTaken.suffix;
  const text = refusal && labelled(strings.suffixName, refusal);
  const sendAgain = () => void session.sendAgain('suffix');
  return (
    <>
      <FieldNote id={id} warning={view.modelWarning} />
      {text && <FieldNote id={`${id}-suffix`} refusal={{ text, again: strings.sendParameterAgain, sendAgain }} />}
    </>
  );
}
