import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { OwnToolForm, OwnToolIssue } from '../../../../src/protocol/chatTools';
import { fill } from '../../../components/fill';
import { Icon } from '../../../components/icon';
import type { Chat } from '../chatContext';

interface EditorProps {
  readonly chat: Chat;
  /** Called when the editor closes. */
  readonly onClosed: () => void;
}

/** Editor of a tool defined by hand, to try one before it exists. */
export function OwnToolEditor({ chat, onClosed }: EditorProps) {
  const { session, strings, announcer } = chat;
  const { own } = session.tools;
  const isSaving = useSignal(false);
  const typed = own.typed.value;
  if (!typed) return null;

  const save = async () => {
    const name = typed.form.name.trim();
    isSaving.value = true;
    const isSaved = await own.save();
    isSaving.value = false;
    if (isSaved) announcer.say(fill(strings.toolSaved, name));
    if (isSaved) onClosed();
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('.tool-form [aria-invalid="true"]')?.focus());
  };
  const remove = async () => {
    if (!(await own.remove())) return;
    announcer.say(fill(strings.toolDeleted, typed.replaces ?? ''));
    onClosed();
  };
  const giveUp = () => {
    own.giveUp();
    onClosed();
  };
  return (
    <div class="tool-form">
      <p class="tools-detail">{strings.ownToolDetail}</p>
      <Field chat={chat} field="name" label={strings.toolName} hint={strings.toolNameHint} />
      <Field chat={chat} field="description" label={strings.toolDescription} hint={strings.toolDescriptionHint} />
      <Field chat={chat} field="schema" label={strings.toolInputSchema} hint={strings.toolSchemaHint} />
      <div class="tool-form-buttons">
        <vscode-button appearance="primary" disabled={isSaving.value} onClick={() => void save()}>
          {strings.saveTool}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={giveUp}>
          {strings.cancelTool}
        </vscode-button>
        {typed.replaces !== undefined && (
          <button type="button" class="link tool-delete" onClick={() => void remove()}>
            {strings.deleteTool}
          </button>
        )}
      </div>
    </div>
  );
}

interface FieldProps {
  readonly chat: Chat;
  readonly field: keyof OwnToolForm;
  readonly label: string;
  readonly hint: string;
}

function Field({ chat, field, label, hint }: FieldProps) {
  const { own } = chat.session.tools;
  const id = useId();
  const issue = own.issues.value.find((found) => found.field === field);
  const shared = {
    id,
    value: own.typed.value?.form[field] ?? '',
    'aria-invalid': issue !== undefined,
    'aria-describedby': `${id}-hint ${id}-issue`,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      own.type({ [field]: event.currentTarget.value }),
  };
  return (
    <div class="parameter">
      <label class="parameter-label" for={id}>
        {label}
      </label>
      {field === 'name' ? (
        <input class="parameter-input parameter-code tool-name-input" type="text" autocomplete="off" {...shared} />
      ) : (
        <textarea
          class={`parameter-input parameter-text ${field === 'schema' ? 'tool-schema-input' : ''}`}
          rows={field === 'schema' ? 8 : 2}
          spellcheck={field !== 'schema'}
          dir={field === 'schema' ? 'ltr' : 'auto'}
          {...shared}
        />
      )}
      <span class="parameter-hint" id={`${id}-hint`}>
        {hint}
      </span>
      <span class="parameter-note" id={`${id}-issue`} aria-live="polite">
        {issue && <Issue chat={chat} issue={issue} inputId={id} />}
      </span>
    </div>
  );
}

/** An issue of a field, with a link to its position. */
function Issue({
  chat: { strings },
  issue,
  inputId,
}: {
  readonly chat: Chat;
  readonly issue: OwnToolIssue;
  readonly inputId: string;
}) {
  const { text, line, column, offset } = issue;
  const isPlaced = line !== undefined && column !== undefined;
  const goThere = () => {
    const box = document.getElementById(inputId);
    if (!(box instanceof HTMLTextAreaElement) || offset === undefined) return;
    box.focus();
    box.setSelectionRange(offset, Math.min(offset + 1, box.value.length));
  };
  return (
    <span class="parameter-issue">
      <Icon name="error" /> {isPlaced ? fill(strings.issueAt, line, column, text) : text}{' '}
      {offset !== undefined && (
        <button type="button" class="link" onClick={goThere}>
          {strings.goToIssue}
        </button>
      )}
    </span>
  );
}
