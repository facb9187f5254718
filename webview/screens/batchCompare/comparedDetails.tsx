import * as l10n from '@vscode/l10n';
import type { CompareRow, CompareSide } from '../../../src/protocol/batchCompare';
import { DetailsPane } from '../../components/detailsPane';
import { PairList, Pairs, Texts } from '../../components/detailsParts';
import { IconButton } from '../../components/iconButton';
import { pageNumber } from '../../components/pageLanguage';
import { ExpectedMark } from '../batchResults/resultsTable';
import type { CompareSession } from './session';

/** Handles the keys that do the same in the table and in the details. */
export function onRowKey(session: CompareSession, key: string, { ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  if (ctrlKey || metaKey || altKey) return;
  if (key === 'j') void session.table.step(1);
  else if (key === 'k') void session.table.step(-1);
  else if (/^[1-9]$/.test(key)) session.setReference(Number(key) - 1);
}

/** The responses of all runs to the selected request, with the differences from the reference run marked. */
export function ComparedDetails({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const details = table.details.value;
  if (!details) return null;
  const { row, line, customId, state, messages, source, sides } = details;
  const sourceName = session.available.value?.source;
  const head = (
    <>
      <h2 class="details-title details-id-title" title={customId}>
        <bdi>{customId}</bdi>
      </h2>
      <IconButton icon="chevron-up" label={l10n.t('Previous Row (K)')} onClick={() => void table.step(-1)} />
      <IconButton icon="chevron-down" label={l10n.t('Next Row (J)')} onClick={() => void table.step(1)} />
      {line !== undefined && (
        <IconButton
          icon="go-to-file"
          label={l10n.t('Go to Input Line {0}', pageNumber(line + 1))}
          onClick={() => void session.ask('compare/goTo', { row })}
        />
      )}
    </>
  );
  return (
    <DetailsPane
      class="compare-details"
      label={l10n.t('Selected request')}
      row={row}
      head={head}
      close={l10n.t('Close')}
      onClose={() => table.close()}
      keepsScroll
      onKey={(key, event) => onRowKey(session, key, event)}
    >
      <p class="details-names">
        <ComparedDot state={state} />
      </p>
      <div class="compare-sides">
        {sides.map((side, run) => (
          <Side key={run} title={titleOf(session, run)} side={side} />
        ))}
      </div>
      <section aria-label={l10n.t('Request')}>
        <Texts texts={messages} />
      </section>
      <Pairs title={sourceName === undefined ? '' : l10n.t('Columns from {0}', sourceName)} pairs={source} />
    </DetailsPane>
  );
}

function titleOf(session: CompareSession, run: number): string {
  const { letter = '', name = '' } = session.runs.value[run] ?? {};
  return `${letter} ${name}`;
}

interface SideProps {
  readonly title: string;
  readonly side: CompareSide;
}

function Side({ title, side: { pieces, cut, tone, isAsExpected, facts } }: SideProps) {
  return (
    <section class="compare-side">
      <h3 class="details-role compare-side-name">
        {isAsExpected !== undefined && <ExpectedMark isMet={isAsExpected} />}
        <bdi>{title}</bdi>
      </h3>
      <p class={`details-text tone-${tone}`} dir="auto">
        {pieces.map(({ text, differs }, index) =>
          differs ? (
            <mark class="compare-differs" key={index} title={l10n.t('Different from the reference')}>
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

/** How the responses to a request compare: a unique symbol, and its name. */
export function ComparedDot({ state }: { readonly state: CompareRow['state'] }) {
  const words = {
    changed: l10n.t('Changed'),
    unanswered: l10n.t('Incomplete'),
    same: l10n.t('Same'),
  };
  const title = state === 'unanswered' ? l10n.t("Some runs don't have a response.") : words[state];
  return (
    <span class={`state compared-${state}`} title={title}>
      <span class="state-dot" aria-hidden="true" />
      <span class="state-word">{words[state]}</span>
    </span>
  );
}
