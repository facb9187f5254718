import type { CompletionView } from '../../../src/protocol/completion';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import type { Completing } from './completionContext';
import { focusFault } from './jsonTab';

/** Shown above the form while the JSON is invalid: it is discarded only if the user chooses so. */
export function BrokenNote({ completing, view }: { readonly completing: Completing; readonly view: CompletionView }) {
  const { session, strings } = completing;
  const [issue] = view.textIssues;
  const act = (id: string) => {
    if (id === 'drop') return void session.dropText();
    session.choose('json');
    return issue && requestAnimationFrame(() => focusFault(issue));
  };
  return (
    <Note
      tone="warning"
      title={strings.brokenTitle}
      detail={fill(strings.brokenDetail, issue?.where ?? '', issue?.text ?? '')}
      actions={[
        { id: 'go', label: strings.goToFault },
        { id: 'drop', label: strings.dropText },
      ]}
      onAct={act}
    />
  );
}
