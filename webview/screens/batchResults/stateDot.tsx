import * as l10n from '@vscode/l10n';
import type { ResultsTableRow } from '../../../src/protocol/batchResults';

/** The outcome of a request: a symbol of its own shape and colour, and its name. */
export function StateDot({ state }: { readonly state: ResultsTableRow['state'] }) {
  const text = stateText(state);
  return (
    <span class={`state state-${state}`} title={text}>
      <span class="state-dot" aria-hidden="true" />
      <span class="state-word">{text}</span>
    </span>
  );
}

function stateText(state: ResultsTableRow['state']): string {
  switch (state) {
    case 'answered':
      return l10n.t('Answered');
    case 'failed':
      return l10n.t('Failed');
    case 'missing':
      return l10n.t('Missing');
    case 'extra':
      return l10n.t('Extra');
  }
}
