import type { ResultsTableRow } from '../../../src/protocol/batchResults';
import type { Results } from './resultsContext';

/** What became of a request: a sign of its own shape and colour, and the word for it. */
export function StateDot({
  state,
  strings,
}: {
  readonly state: ResultsTableRow['state'];
  readonly strings: Results['strings'];
}) {
  return (
    <span class={`state state-${state}`} title={strings[state]}>
      <span class="state-dot" aria-hidden="true" />
      <span class="state-word">{strings[state]}</span>
    </span>
  );
}
