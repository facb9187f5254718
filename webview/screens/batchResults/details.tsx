import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { useSignal } from '@preact/signals';
import type { ResultsDetails, ResultsText } from '../../../src/protocol/batchResults';
import { DetailsPane } from '../../components/detailsPane';
import { Messages, Pairs, Texts } from '../../components/detailsParts';
import { IconButton } from '../../components/iconButton';
import { Markdown } from '../../markdown/markdown';
import type { Results } from './resultsContext';
import type { ResultsSession } from './session';
import { ExpectedMark } from './resultsTable';
import { StateDot } from './stateDot';

/** The details of the selected request and its result. */
export function Details({ results }: { readonly results: Results }) {
  const { session } = results;
  const details = session.table.details.value;
  if (!details) return null;
  const { row, line, state, note, failure, attempts, facts, parameters, source, expected } = details;
  const sourceName = session.summary.value?.columns.source;
  return (
    <DetailsPane
      label={l10n.t('Selected result')}
      row={row}
      head={<Head details={details} results={results} />}
      close={l10n.t('Close')}
      onClose={() => session.table.close()}
      keepsScroll
      onKey={(key, { ctrlKey, metaKey, altKey }) => {
        if (ctrlKey || metaKey || altKey) return;
        if (key === 'j') void session.table.step(1);
        if (key === 'k') void session.table.step(-1);
      }}
    >
      <p class="details-names">
        <StateDot state={state} />
        {line !== undefined && <span class="details-model">{l10n.t('Line {0}', pageNumber(line + 1))}</span>}
      </p>
      {expected && (
        <p class="details-expected">
          <ExpectedMark isMet={expected.isMet} />
          {expected.text}
        </p>
      )}
      {note && <p class="details-note">{note}</p>}
      {failure && (
        <p class="details-failure" dir="auto">
          {failure}
        </p>
      )}
      <Answers details={details} results={results} />
      <Pairs title={sourceName === undefined ? '' : l10n.t('Columns from {0}', sourceName)} pairs={source} />
      <Pairs title={l10n.t('Attempts')} pairs={attempts} />
      <Pairs title={l10n.t('Details')} pairs={facts} />
      {details.messages.length > 0 && (
        <section aria-label={l10n.t('Request')}>
          <Messages messages={details.messages} omitted={details.omitted} shownFirst={details.shownFirst} />
        </section>
      )}
      <Pairs title={l10n.t('Parameters')} pairs={parameters} />
    </DetailsPane>
  );
}

interface PartProps {
  readonly details: ResultsDetails;
  readonly results: Results;
}

function Head({ details, results: { session } }: PartProps) {
  const { row, line, customId, answers, failure } = details;
  return (
    <>
      <h2 class="details-title details-id-title" title={customId}>
        <bdi>{customId}</bdi>
      </h2>
      <IconButton icon="chevron-up" label={l10n.t('Previous Row (K)')} onClick={() => void session.table.step(-1)} />
      <IconButton icon="chevron-down" label={l10n.t('Next Row (J)')} onClick={() => void session.table.step(1)} />
      {(answers.length > 0 || failure !== undefined) && (
        <IconButton
          icon="copy"
          label={l10n.t('Copy Response')}
          onClick={() => void session.ask('results/copy', { row })}
        />
      )}
      {line !== undefined && (
        <IconButton
          icon="go-to-file"
          label={l10n.t('Go to Input Line {0}', pageNumber(line + 1))}
          onClick={() => void session.ask('results/goTo', { row })}
        />
      )}
    </>
  );
}

/** The whole answer as Markdown, or the lines of the result or the request as in their files. */
function Answers({ details, results }: PartProps) {
  const { session } = results;
  const { raw, rawRequest, answers, beside } = details;
  const hasText = answers.length > 0 || beside.length > 0;
  const views = [
    ...(hasText ? (['text'] as const) : []),
    ...(raw.text === '' ? [] : (['json'] as const)),
    ...(rawRequest.text === '' ? [] : (['request'] as const)),
  ];
  const [first] = views;
  // The messages of a request without a response are below in any case.
  if (!first || (first === 'request' && session.view.value !== 'request')) return null;
  const view = views.includes(session.view.value) ? session.view.value : first;
  return (
    <section class="details-message">
      {views.length > 1 && <ViewButtons results={results} views={views} chosen={view} />}
      {view === 'text' ? (
        <>
          {answers.map((answer, index) => (
            <Answer key={`${details.row} ${index}`} answer={answer} results={results} />
          ))}
          <Texts texts={beside} />
        </>
      ) : (
        <Raw {...(view === 'json' ? raw : rawRequest)} />
      )}
    </section>
  );
}

function Raw({ text, cut }: ResultsText) {
  return (
    <>
      <pre class="results-json" tabIndex={0} aria-label={l10n.t('JSON')}>
        {text}
      </pre>
      {cut && <p class="details-note">{cut}</p>}
    </>
  );
}

type DetailsView = ResultsSession['view']['value'];

interface ViewButtonsProps {
  readonly results: Results;
  readonly views: readonly DetailsView[];
  readonly chosen: DetailsView;
}

function ViewButtons({ results: { session }, views, chosen }: ViewButtonsProps) {
  const labels = { text: l10n.t('Text'), json: l10n.t('JSON'), request: l10n.t('Raw Request') };
  return (
    <div class="results-view" role="group" aria-label={l10n.t('Response format')}>
      {views.map((view) => (
        <button
          type="button"
          class="results-view-button"
          key={view}
          aria-pressed={view === chosen}
          onClick={() => (session.view.value = view)}
        >
          {labels[view]}
        </button>
      ))}
    </div>
  );
}

function Answer({
  answer,
  results: { renderer, colours },
}: {
  readonly answer: ResultsText;
  readonly results: Results;
}) {
  const text = useSignal(answer.text);
  const ended = useSignal(true);
  text.value = answer.text;
  return (
    <div class="results-answer">
      {answer.label && <h3 class="details-role">{answer.label}</h3>}
      <Markdown renderer={renderer} canInsert={false} colours={colours} text={text} ended={ended} />
      {answer.cut && <p class="details-note">{answer.cut}</p>}
    </div>
  );
}
