import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { CopyForm, RankingSummary } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { BestCount } from './bestCount';
import { toCount } from './form';
import type { Rerank } from './rerankContext';

interface CopyPanelProps {
  readonly open: Signal<boolean>;
  readonly ranking: RankingSummary;
  readonly rerank: Rerank;
}

/** Chooses the format in which the ranking is copied, and how many documents. */
export function CopyPanel({ open, ranking, rerank }: CopyPanelProps) {
  const { session, strings } = rerank;
  const text = useSignal('');
  const isAll = text.value.trim() === '';
  const count = isAll ? undefined : toCount(text.value, ranking.count);
  const canCopy = isAll || count !== undefined;
  const forms: readonly { readonly as: CopyForm; readonly label: string }[] = [
    { as: 'list', label: strings.copyList },
    { as: 'markdownTable', label: strings.copyTable },
    { as: 'json', label: strings.copyJson },
  ];
  return (
    <BarPanel
      action="copy"
      id="copy-panel"
      open={open}
      title={strings.copyAs}
      closeLabel={strings.closePanel}
      focus=".rerank-copy"
    >
      <div class="rerank-copies">
        {forms.map(({ as, label }) => (
          <button
            type="button"
            class="rerank-copy"
            key={as}
            disabled={!canCopy}
            onClick={() => {
              open.value = false;
              document.querySelector<HTMLElement>('.bar-copy')?.focus();
              void session.copy(as, count);
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <BestCount
        label={strings.copyCount}
        placeholder={strings.copyAll}
        text={text}
        count={isAll ? ranking.count : count}
        most={ranking.count}
        rerank={rerank}
      />
    </BarPanel>
  );
}
