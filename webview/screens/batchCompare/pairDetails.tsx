import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import type { CompareSide } from '../../../src/protocol/batchCompare';
import { DetailsPane } from '../../components/detailsPane';
import { PairList, Texts } from '../../components/detailsParts';
import { IconButton } from '../../components/iconButton';
import type { CompareSession } from './session';
import { PairDot } from './compareTable';

/** Both answers side by side, with the differences between them marked. */
export function PairDetails({ session }: { readonly session: CompareSession }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { row, line, customId, state, messages, a, b } = details;
  const head = (
    <>
      <h2 class="details-title details-id-title" title={customId}>
        <bdi>{customId}</bdi>
      </h2>
      {line !== undefined && (
        <IconButton
          icon="go-to-file"
          label={l10n.t('Go to line {0} of the input', pageNumber(line + 1))}
          onClick={() => session.goTo(row)}
        />
      )}
    </>
  );
  return (
    <DetailsPane
      class="compare-details"
      label={l10n.t('Selected pair')}
      row={row}
      head={head}
      close={l10n.t('Close')}
      onClose={() => session.table.close()}
    >
      <p class="details-names">
        <PairDot state={state} />
      </p>
      <div class="compare-sides">
        <Side title={l10n.t('Run A')} side={a} />
        <Side title={l10n.t('Run B')} side={b} />
      </div>
      <section aria-label={l10n.t('Request')}>
        <Texts texts={messages} />
      </section>
    </DetailsPane>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: CompareSide;
}

function Side({ title, side: { pieces, cut, tone, facts } }: SideProps) {
  return (
    <section class="compare-side">
      <h3 class="details-role">{title}</h3>
      <p class={`details-text tone-${tone}`} dir="auto">
        {pieces.map(({ text, differs }, index) =>
          differs ? (
            <mark class="compare-differs" key={index} title={l10n.t('Only in this answer')}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
      {cut && <p class="details-note">{cut}</p>}
      <PairList pairs={facts} />
    </section>
  );
}
