import { render } from 'preact';
import type {
  CompletionScreen,
  CompletionTab,
  CompletionView,
  CompletionTarget,
  CompletionWay,
  CompletionIssue,
} from '../../../src/protocol/completion';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import './completion.css';
import { CompletionSession } from './session';
import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import { ComboBox } from '../../components/comboBox';
import { Note } from '../../components/note';
import { FieldNote } from '../../components/parameter';
import { PresetBar } from '../../components/presetBar';
import { Tabs } from '../../components/tabs';
import { FormTab } from './formTab';
import { labelled } from '../../../src/protocol/sentences';
import { pageNumber } from '../../components/pageLanguage';
import { Icon } from '../../components/icon';

export function mountCompletion(root: HTMLElement, host: Host<CompletionScreen>): void {
  const page = document.createElement('main');
  page.className = 'completion';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new CompletionSession(host, (text) => announcer.say(text));
  host.on('completion/changed', (view) => session.show(view));
  render(<CompletionPage session={session} />, page);
  void session.start();
}

const panelId = 'completion-values';

/** The parameters of completions, as a form or as JSON, a preview of the request, and the text it is for. */
function CompletionPage({ session }: { readonly session: CompletionSession }) {
  const view = session.view.value;
  return (
    <>
      <div class="completion-body">
        <div class="completion-column">
          <header class="completion-head">
            <h1>{l10n.t('Completion parameters')}</h1>
            <p class="completion-muted">{l10n.t("Unset parameters use the service's defaults.")}</p>
          </header>
          <ErrorNote session={session} />
          {view ? <Values session={session} view={view} /> : <p class="completion-muted">{l10n.t('Loading…')}</p>}
        </div>
      </div>
      {view && <RunBar session={session} target={view.target} />}
    </>
  );
}

function ErrorNote({ session }: { readonly session: CompletionSession }) {
  const error = session.error.value;
  if (!error) return null;
  return <Note tone="error" {...error} onAct={(id) => void session.ask('completion/act', { id })} />;
}

interface ValuesProps {
  readonly session: CompletionSession;
  readonly view: CompletionView;
}

function Values({ session, view }: ValuesProps) {
  const tab = session.tab.value;
  const wrong = view.textIssues.length;
  const countSet = l10n.t('{0} set', pageNumber(view.count));
  const countIssues = wrong === 0 ? '' : l10n.t('{0} invalid', pageNumber(wrong));
  return (
    <>
      <div class="completion-top">
        <Model session={session} view={view} />
        <PresetBar presets={() => session.view.value?.presets ?? []} actions={session} say={session.say} />
      </div>
      <div class="completion-tabs">
        <Tabs<CompletionTab>
          label={l10n.t('Parameter format')}
          tabs={[
            { id: 'form', label: l10n.t('Form'), count: countSet },
            { id: 'json', label: l10n.t('JSON'), count: countIssues },
          ]}
          chosen={tab}
          panelId={panelId}
          onChoose={(id) => session.choose(id)}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'form' && view.isBroken && <BrokenNote session={session} view={view} />}
        {tab === 'form' ? <FormTab session={session} view={view} /> : <JsonTab session={session} view={view} />}
      </div>
      <section class="completion-section" aria-labelledby="preview-heading">
        <h2 id="preview-heading">{l10n.t('Request preview')}</h2>
        <p class="completion-muted">{l10n.t('Without your API key. Long prompts are shortened.')}</p>
        <pre class="completion-preview" tabIndex={0} aria-labelledby="preview-heading" dir="ltr">
          {view.preview}
        </pre>
      </section>
    </>
  );
}

function Model({ session, view }: ValuesProps) {
  const id = useId();
  const automatic = view.automatic === '' ? l10n.t('Automatic') : l10n.t('Automatic: {0}', view.automatic);
  return (
    <div class="completion-model">
      <label class="parameter-label" for={id}>
        {l10n.t('Model')}
      </label>
      <ComboBox
        id={id}
        value={session.model.value}
        items={session.models.value}
        words={{
          show: l10n.t('Show Models'),
          noMatch: l10n.t('No matches. You can enter any model ID.'),
          placeholder: automatic,
        }}
        describedBy={`${id}-about`}
        onOpen={() => void session.loadModels()}
        onChange={(model) => session.setModel(model)}
      />
      <ModelNote id={`${id}-about`} session={session} view={view} />
    </div>
  );
}

interface ModelNoteProps {
  readonly id: string;
  readonly session: CompletionSession;
  readonly view: CompletionView;
}

/** The warning about the model, and its rejection of a parameter without a field. */
function ModelNote({ id, session, view }: ModelNoteProps) {
  const refusal = view.notTaken.suffix;
  const text = refusal && labelled(l10n.t('Text after the cursor (suffix)'), refusal);
  const sendAgain = () => void session.sendAgain('suffix');
  return (
    <>
      <FieldNote id={id} warning={view.modelWarning} />
      {text && <FieldNote id={`${id}-suffix`} refusal={{ text, again: l10n.t('Send Again'), sendAgain }} />}
    </>
  );
}

/** Shown above the form while the JSON is invalid: it is discarded only if the user chooses so. */
function BrokenNote({ session, view }: { readonly session: CompletionSession; readonly view: CompletionView }) {
  const [issue] = view.textIssues;
  const act = (id: string) => {
    if (id === 'drop') return void session.dropText();
    session.choose('json');
    return issue && requestAnimationFrame(() => focusFault(issue));
  };
  return (
    <Note
      tone="warning"
      title={l10n.t('Invalid JSON')}
      detail={l10n.t('{0}: {1} The last valid values are sent.', issue?.where ?? '', issue?.text ?? '')}
      actions={[
        { id: 'go', label: l10n.t('Go to Error') },
        { id: 'drop', label: l10n.t('Discard JSON') },
      ]}
      onAct={act}
    />
  );
}

const ways: readonly CompletionWay[] = ['insert', 'replace', 'beside'];

/** The text to complete, and what to do with the result. */
function RunBar({ session, target }: { readonly session: CompletionSession; readonly target: CompletionTarget }) {
  const { name, obstacles, price } = target;
  const reasons = [...new Set(ways.flatMap((way) => obstacles[way] ?? []))];
  return (
    <footer class="completion-footer">
      <div class="completion-column completion-run">
        <span class="completion-ways">
          {ways.map((way) => (
            <vscode-button
              key={way}
              appearance={way === 'insert' ? 'primary' : 'secondary'}
              disabled={obstacles[way] !== undefined}
              aria-describedby="completion-target"
              onClick={() => obstacles[way] === undefined && void session.run(way)}
            >
              {labelOf(way)}
            </vscode-button>
          ))}
        </span>
        <span class="completion-muted" id="completion-target" aria-live="polite">
          {name !== '' && <bdi>{l10n.t('Completes {0}', name)}</bdi>}
          {price !== undefined && <span class="completion-reason">{price}</span>}
          {reasons.map((reason) => (
            <span class="completion-reason" key={reason}>
              {reason}
            </span>
          ))}
        </span>
      </div>
    </footer>
  );
}

function labelOf(way: CompletionWay): string {
  if (way === 'insert') return l10n.t('Complete Text');
  return way === 'replace' ? l10n.t('Complete and Replace') : l10n.t('Complete to the Side');
}

const textId = 'completion-text';

/** The parameters as JSON, with its errors. */
function JsonTab({ session, view }: { readonly session: CompletionSession; readonly view: CompletionView }) {
  const id = useId();
  return (
    <div class="completion-json">
      <textarea
        id={textId}
        class="parameter-input parameter-code completion-text"
        spellcheck={false}
        autocomplete="off"
        wrap="off"
        dir="ltr"
        rows={10}
        aria-label={l10n.t('Parameters as JSON')}
        aria-invalid={view.textIssues.length > 0}
        aria-describedby={`${id}-hint ${id}-issues`}
        value={session.text.value}
        onInput={({ currentTarget }) => session.write(currentTarget.value)}
      />
      <span class="completion-muted" id={`${id}-hint`}>
        {l10n.t("Parameters with invalid values aren't sent.")}
      </span>
      <ul class="completion-issues" id={`${id}-issues`} aria-live="polite">
        {view.textIssues.map((issue) => (
          <li key={`${issue.offset} ${issue.text}`}>
            <Icon name={view.isBroken ? 'error' : 'warning'} />
            <span>
              <button type="button" class="link" onClick={() => focusFault(issue)}>
                {issue.where}
              </button>{' '}
              {issue.text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Selects the range of an issue in the text. */
function focusFault({ offset, length }: CompletionIssue): void {
  const box = document.getElementById(textId);
  if (!(box instanceof HTMLTextAreaElement)) return;
  box.focus();
  box.setSelectionRange(offset, offset + length);
}
