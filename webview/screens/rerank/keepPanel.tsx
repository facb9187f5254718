import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { RankingSummary } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { fill } from '../../components/fill';
import { BestCount } from './bestCount';
import { toCount } from './form';
import type { Rerank } from './rerankContext';

interface KeepPanelProps {
  readonly open: Signal<boolean>;
  readonly ranking: RankingSummary;
  readonly rerank: Rerank;
}

/** Chooses how many of the best documents stay in the text. */
export function KeepPanel({ open, ranking, rerank }: KeepPanelProps) {
  const { session, strings, number } = rerank;
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
      title={strings.keepBest}
      closeLabel={strings.closePanel}
      focus="input"
    >
      <form
        class="rerank-small-form"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <BestCount
          label={strings.keepCount}
          placeholder=""
          text={text}
          count={count}
          most={ranking.count}
          rerank={rerank}
        />
        <p class="rerank-muted">{strings.keepBestHint}</p>
        <vscode-button appearance="secondary" disabled={count === undefined} onClick={keep}>
          {fill(strings.keepRun, number(count ?? 0))}
        </vscode-button>
      </form>
    </BarPanel>
  );
}
