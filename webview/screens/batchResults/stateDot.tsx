import * as l10n from '@vscode/l10n';
import type { ResultsTableRow } from '../../../src/protocol/batchResults';

/** The outcome of a request: a symbol with a unique shape and color, and its name. */
export function StateDot({ state }: { readonly state: ResultsTableRow['state'] }) {
  const text = stateText(state);
  return (
    <span class={`state state-${state}`} title={text}>
      <span class="state-dot" aria-hidden="true" />
      <span class="state-word">{text}</span>
    </span>
  );
}

/** The name of a state, short enough for its column. */
export function stateText(state: ResultsTableRow['state']): string {
  switch (state) {
    case 'answered':
      return l10n.t('Completed');
    case 'truncated':
      return l10n.t('Truncated');
    case 'empty':
      return l10n.t('Empty');
    case 'refused':
      return l10n.t('Rejected');
    case 'failed':
      return l10n.t('Failed');
    case 'expired':
      return l10n.t('Expired');
    case 'canceled':
      return l10n.t('Canceled');
    case 'missing':
      return l10n.t('Missing');
    case 'extra':
      return l10n.t('Extra');
  }
}
