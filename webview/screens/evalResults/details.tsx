import * as l10n from '@vscode/l10n';
import type { EvalSide } from '../../../src/protocol/evalResults';
import { DetailsPane } from '../../components/detailsPane';
import { Texts } from '../../components/detailsParts';
import { IconButton } from '../../components/iconButton';
import { Mark } from './mark';
import { Pieces } from './pieces';
import type { EvalSession } from './session';

/** The selected row: what it asks and expects, and both responses with what the graders say. */
export function Details({ session }: { readonly session: EvalSession }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { row, name, input, expected, sides } = details;
  const showsDifference = session.showsDifference.value;
  const hasDifference = sides.some(({ pieces }) => pieces.some(({ differs }) => differs));
  const texts = [
    ...input.map((one) => ({ label: one.name, text: one.value })),
    ...(expected === '' ? [] : [{ label: l10n.t('Expected'), text: expected }]),
  ];
  return (
    <DetailsPane
      class="eval-details"
      label={l10n.t('Selected row')}
      row={row}
      close={l10n.t('Close')}
      onClose={() => session.table.close()}
      onKey={(key, { ctrlKey, metaKey, altKey }) => {
        if (ctrlKey || metaKey || altKey) return;
        if (key === 'j') void session.table.step(1);
        if (key === 'k') void session.table.step(-1);
        if (key === 'd') session.showsDifference.value = !session.showsDifference.peek();
      }}
      head={
        <>
          <h2 class="details-title details-id-title" title={name}>
            <bdi>{name}</bdi>
          </h2>
          {hasDifference && (
            <button
              type="button"
              class="tab"
              aria-pressed={showsDifference}
              onClick={() => (session.showsDifference.value = !showsDifference)}
            >
              {l10n.t('Differences (D)')}
            </button>
          )}
          <IconButton
            icon="chevron-up"
            label={l10n.t('Previous Row (K)')}
            onClick={() => void session.table.step(-1)}
          />
          <IconButton icon="chevron-down" label={l10n.t('Next Row (J)')} onClick={() => void session.table.step(1)} />
        </>
      }
    >
      <Texts texts={texts} />
      <div class="eval-sides">
        {sides.map((side, index) => (
          <Side key={index} side={side} showsDifference={showsDifference} />
        ))}
      </div>
    </DetailsPane>
  );
}

function Side({ side, showsDifference }: { readonly side: EvalSide; readonly showsDifference: boolean }) {
  const { letter, label, pieces, note, result, scores } = side;
  return (
    <section class="eval-side">
      <h3 class="details-role">
        <Mark mark={result} />
        {letter} <bdi>{label}</bdi>
      </h3>
      {note && <p class="details-note">{note}</p>}
      {pieces.length > 0 && (
        <Pieces pieces={pieces} showsDifference={showsDifference} title={l10n.t('In this response only')} />
      )}
      {scores.length > 0 && (
        <ul class="eval-scores" aria-label={l10n.t('Scores')}>
          {scores.map(({ name, mark, evidence }, index) => (
            <li key={index}>
              <Mark mark={mark} /> <bdi>{name}</bdi>
              {evidence && (
                <span class="eval-evidence" dir="auto">
                  {evidence}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
