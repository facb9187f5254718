import * as l10n from '@vscode/l10n';
import type { CompletionView } from '../../../src/protocol/completion';
import { Note } from '../../components/note';
import type { CompletionSession } from './session';
import { focusFault } from './jsonTab';

/** Shown above the form while the JSON is invalid: it is discarded only if the user chooses so. */
export function BrokenNote({ session, view }: { readonly session: CompletionSession; readonly view: CompletionView }) {
  const [issue] = view.textIssues;
  const act = (id: string) => {
    if (id === 'drop') return void session.dropText();
    session.choose('json');
    return issue && requestAnimationFrame(() => focusFault(issue));
  };
  return (
    <Note
      tone="warning"
      title={l10n.t('The JSON is broken')}
      detail={l10n.t(
        '{0}: {1} Until it is mended, the values from before it broke are sent.',
        issue?.where ?? '',
        issue?.text ?? '',
      )}
      actions={[
        { id: 'go', label: l10n.t('Go to the fault') },
        { id: 'drop', label: l10n.t('Discard this JSON') },
      ]}
      onAct={act}
    />
  );
}
