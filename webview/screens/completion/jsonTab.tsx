import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import type { CompletionIssue, CompletionView } from '../../../src/protocol/completion';
import { Icon } from '../../components/icon';
import type { CompletionSession } from './session';

const textId = 'completion-text';

/** The parameters as JSON, with its errors. */
export function JsonTab({ session, view }: { readonly session: CompletionSession; readonly view: CompletionView }) {
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
        {l10n.t('The same values as in the form. What is wrong or unknown is kept here and not sent.')}
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
export function focusFault({ offset, length }: CompletionIssue): void {
  const box = document.getElementById(textId);
  if (!(box instanceof HTMLTextAreaElement)) return;
  box.focus();
  box.setSelectionRange(offset, offset + length);
}
