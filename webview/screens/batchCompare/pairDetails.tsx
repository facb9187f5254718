import type { CompareSide } from '../../../src/protocol/batchCompare';
import { DetailsPane } from '../../components/detailsPane';
import { PairList, Texts } from '../../components/detailsParts';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import type { Compare } from './batchCompare';
import { PairDot } from './compareTable';

/** Both answers side by side, with the differences between them marked. */
export function PairDetails({ compare }: { readonly compare: Compare }) {
  const { session, strings } = compare;
  const details = session.table.details.value;
  if (!details) return null;
  const { row, line, customId, state, messages, a, b } = details;
  const head = (
    <>
      <h2 class="details-title details-id-title" title={customId}>
        <bdi>{customId}</bdi>
      </h2>
      {line !== undefined && (
        <IconButton icon="go-to-file" label={fill(strings.goTo, line + 1)} onClick={() => session.goTo(row)} />
      )}
    </>
  );
  return (
    <DetailsPane
      class="compare-details"
      label={strings.details}
      row={row}
      head={head}
      close={strings.close}
      onClose={() => session.table.close()}
    >
      <p class="details-names">
        <PairDot state={state} strings={strings} />
      </p>
      <div class="compare-sides">
        <Side title={strings.runA} side={a} strings={strings} />
        <Side title={strings.runB} side={b} strings={strings} />
      </div>
      <section aria-label={strings.request}>
        <Texts texts={messages} />
      </section>
    </DetailsPane>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: CompareSide;
  readonly strings: Compare['strings'];
}

function Side({ title, side: { pieces, cut, tone, facts }, strings }: SideProps) {
  return (
    <section class="compare-side">
      <h3 class="details-role">{title}</h3>
      <p class={`details-text tone-${tone}`} dir="auto">
        {pieces.map(({ text, differs }, index) =>
          differs ? (
            <mark class="compare-differs" key={index} title={strings.differs}>
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
