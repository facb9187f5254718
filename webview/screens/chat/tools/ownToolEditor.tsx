import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { OwnToolForm, OwnToolIssue } from '../../../../src/protocol/chatTools';
import { Icon } from '../../../components/icon';
import type { Chat } from '../chatContext';

interface EditorProps {
  readonly chat: Chat;
  /** Called when the editor closes. */
  readonly onClosed: () => void;
}

/** Editor of a tool defined by hand, to try one before it exists. */
export function OwnToolEditor({ chat, onClosed }: EditorProps) {
  const { session, announcer } = chat;
  const { own } = session.tools;
  const isSaving = useSignal(false);
  const typed = own.typed.value;
  if (!typed) return null;

  const save = async () => {
    const name = typed.form.name.trim();
    isSaving.value = true;
    const isSaved = await own.save();
    isSaving.value = false;
    if (isSaved) announcer.say(l10n.t('{0} is saved and offered in this conversation.', name));
    if (isSaved) onClosed();
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('.tool-form [aria-invalid="true"]')?.focus());
  };
  const remove = async () => {
    if (!(await own.remove())) return;
    announcer.say(l10n.t('{0} is deleted.', typed.replaces ?? ''));
    onClosed();
  };
  const giveUp = () => {
    own.giveUp();
    onClosed();
  };
  return (
    <div class="tool-form">
      <p class="tools-detail">{l10n.t('Nothing runs it: when the model asks for it, you type its result in.')}</p>
      <Field chat={chat} field="name" label={l10n.t('Name')} hint={l10n.t('Letters, digits, _ and -')} />
      <Field
        chat={chat}
        field="description"
        label={l10n.t('Description')}
        hint={l10n.t('Tells the model what it does and when to use it.')}
      />
      <Field
        chat={chat}
        field="schema"
        label={l10n.t('Input as a JSON schema')}
        hint={l10n.t('A schema of type “object”. Tab leaves the box.')}
      />
      <div class="tool-form-buttons">
        <vscode-button appearance="primary" disabled={isSaving.value} onClick={() => void save()}>
          {l10n.t('Save')}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={giveUp}>
          {l10n.t('Cancel')}
        </vscode-button>
        {typed.replaces !== undefined && (
          <button type="button" class="link tool-delete" onClick={() => void remove()}>
            {l10n.t('Delete this tool')}
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
        {issue && <Issue issue={issue} inputId={id} />}
      </span>
    </div>
  );
}

/** An issue of a field, with a link to its position. */
function Issue({ issue, inputId }: { readonly issue: OwnToolIssue; readonly inputId: string }) {
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
      <Icon name="error" />{' '}
      {isPlaced ? l10n.t('Line {0}, column {1}: {2}', pageNumber(line), pageNumber(column), text) : text}{' '}
      {offset !== undefined && (
        <button type="button" class="link" onClick={goThere}>
          {l10n.t('Go to it')}
        </button>
      )}
    </span>
  );
}
