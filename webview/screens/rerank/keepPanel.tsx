import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { RankingSummary } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { BestCount } from './bestCount';
import { toCount } from './form';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

interface KeepPanelProps {
  readonly open: Signal<boolean>;
  readonly ranking: RankingSummary;
  readonly session: RerankSession;
}

/** Chooses how many of the best documents stay in the text. */
export function KeepPanel({ open, ranking, session }: KeepPanelProps) {
  const text = useSignal(String(Math.min(10, ranking.count)));
  const count = toCount(text.value, ranking.count);
  const keep = () => {
    if (count === undefined) return;
    open.value = false;
    session.reorder(count);
  };
  return (
    <BarPanel
      action="keep"
      id="keep-panel"
      open={open}
      title={l10n.t('Keep the best…')}
      closeLabel={l10n.t('Close')}
      focus="input"
    >
      <form
        class="rerank-small-form"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <BestCount label={l10n.t('How many are kept')} placeholder="" text={text} count={count} most={ranking.count} />
        <p class="rerank-muted">{l10n.t('Take all other documents out of the text, after a look at the changes')}</p>
        <vscode-button appearance="secondary" disabled={count === undefined} onClick={keep}>
          {l10n.t('Keep {0}', pageNumber(count ?? 0))}
        </vscode-button>
      </form>
    </BarPanel>
  );
}
