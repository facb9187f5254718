import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { ActionButton } from './actionButton';
import { CopyPanel } from './copyPanel';
import { KeepPanel } from './keepPanel';
import type { RerankSession } from './session';

/** The actions on a ranking. */
export function RankingActions({ session }: { readonly session: RerankSession }) {
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
          label={l10n.t('Scores in the editor')}
          hint={l10n.t('Show the scores beside the documents in their editor')}
          isPressed={ranking.isShownInEditor}
          onClick={() => void session.showScores(!ranking.isShownInEditor)}
        />
      )}
      {page.canReorder && (
        <>
          <ActionButton
            id="reorder"
            icon="list-ordered"
            label={l10n.t('Reorder…')}
            hint={l10n.t('Bring the text into the order of the ranking, after a look at the changes')}
            onClick={() => session.reorder()}
          />
          <ActionButton
            id="keep"
            icon="filter"
            label={l10n.t('Keep the best…')}
            hint={l10n.t('Take all other documents out of the text, after a look at the changes')}
            panel={keep}
          />
        </>
      )}
      <ActionButton id="copy" icon="copy" label={l10n.t('Copy as…')} hint={l10n.t('Copy as…')} panel={copy} />
      <KeepPanel open={keep} ranking={ranking} session={session} />
      <CopyPanel open={copy} ranking={ranking} session={session} />
    </>
  );
}
