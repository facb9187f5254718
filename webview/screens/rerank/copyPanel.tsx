import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { CopyForm, RankingSummary } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { BestCount } from './bestCount';
import { toCount } from './form';
import type { RerankSession } from './session';

interface CopyPanelProps {
  readonly open: Signal<boolean>;
  readonly ranking: RankingSummary;
  readonly session: RerankSession;
}

/** Chooses the format in which the ranking is copied, and how many documents. */
export function CopyPanel({ open, ranking, session }: CopyPanelProps) {
  const text = useSignal('');
  const isAll = text.value.trim() === '';
  const count = isAll ? undefined : toCount(text.value, ranking.count);
  const canCopy = isAll || count !== undefined;
  const forms: readonly { readonly as: CopyForm; readonly label: string }[] = [
    { as: 'list', label: l10n.t('List') },
    { as: 'markdownTable', label: l10n.t('Markdown Table') },
    { as: 'json', label: l10n.t('JSON') },
  ];
  return (
    <BarPanel
      action="copy"
      id="copy-panel"
      open={open}
      title={l10n.t('Copy As…')}
      closeLabel={l10n.t('Close')}
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
        label={l10n.t('Number of top results')}
        placeholder={l10n.t('All')}
        text={text}
        count={isAll ? ranking.count : count}
        most={ranking.count}
      />
    </BarPanel>
  );
}
