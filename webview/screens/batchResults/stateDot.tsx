import type { ResultsTableRow } from '../../../src/protocol/batchResults';
import type { Results } from './resultsContext';

/** The outcome of a request: a symbol of its own shape and colour, and its name. */
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
