import { useSignal } from '@preact/signals';
import { ActionButton } from './actionButton';
import { CopyPanel } from './copyPanel';
import { KeepPanel } from './keepPanel';
import type { Rerank } from './rerankContext';

/** The actions on a ranking. */
export function RankingActions({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings } = rerank;
  const keep = useSignal(false);
  const copy = useSignal(false);
  const page = session.page.value;
  const ranking = page?.ranking;
  if (!ranking) return null;
  return (
    <>
      {ranking.canShowInEditor && (
        <ActionButton
          id="scores"
          icon={ranking.isShownInEditor ? 'eye' : 'eye-closed'}
          label={strings.showScores}
          hint={strings.showScoresHint}
          isPressed={ranking.isShownInEditor}
          onClick={() => void session.showScores(!ranking.isShownInEditor)}
        />
      )}
      {page.canReorder && (
        <>
          <ActionButton
            id="reorder"
            icon="list-ordered"
            label={strings.reorder}
            hint={strings.reorderHint}
            onClick={() => session.reorder()}
          />
          <ActionButton id="keep" icon="filter" label={strings.keepBest} hint={strings.keepBestHint} panel={keep} />
        </>
      )}
      <ActionButton id="copy" icon="copy" label={strings.copyAs} hint={strings.copyAs} panel={copy} />
      <KeepPanel open={keep} ranking={ranking} rerank={rerank} />
      <CopyPanel open={copy} ranking={ranking} rerank={rerank} />
    </>
  );
}
