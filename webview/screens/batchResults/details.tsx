import { useSignal } from '@preact/signals';
import type { ResultsDetails, ResultsText } from '../../../src/protocol/batchResults';
import { DetailsPane } from '../../components/detailsPane';
import { Messages, Pairs, Texts } from '../../components/detailsParts';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { Markdown } from '../../markdown/markdown';
import type { Results } from './resultsContext';
import { StateDot } from './stateDot';

/** The details of the selected request and its result. */
export function Details({ results }: { readonly results: Results }) {
  const { session, strings } = results;
  const details = session.table.details.value;
  if (!details) return null;
  const { row, line, state, note, failure, attempts, facts, parameters } = details;
  return (
    <DetailsPane
      label={strings.details}
      row={row}
      head={<Head details={details} results={results} />}
      close={strings.close}
      onClose={() => session.table.close()}
    >
      <p class="details-names">
        <StateDot state={state} strings={strings} />
        {line !== undefined && <span class="details-model">{fill(strings.detailsOf, line + 1)}</span>}
      </p>
      {note && <p class="details-note">{note}</p>}
      {failure && (
        <p class="details-failure" dir="auto">
          {failure}
        </p>
      )}
      <Answers details={details} results={results} />
      <Pairs title={strings.attempts} pairs={attempts} />
      <Pairs title={strings.facts} pairs={facts} />
      {details.messages.length > 0 && (
        <section aria-label={strings.request}>
          <Messages messages={details.messages} omitted={details.omitted} shownFirst={details.shownFirst} />
        </section>
      )}
      <Pairs title={strings.parameters} pairs={parameters} />
    </DetailsPane>
  );
}

interface PartProps {
  readonly details: ResultsDetails;
  readonly results: Results;
}

function Head({ details, results: { session, strings } }: PartProps) {
  const { row, line, customId, answers, failure } = details;
  return (
    <>
      <h2 class="details-title details-id-title" title={customId}>
        <bdi>{customId}</bdi>
      </h2>
      {(answers.length > 0 || failure !== undefined) && (
        <IconButton icon="copy" label={strings.copyAnswer} onClick={() => session.copy(row)} />
      )}
      {line !== undefined && (
        <IconButton icon="go-to-file" label={fill(strings.goTo, line + 1)} onClick={() => session.goTo(row)} />
      )}
    </>
  );
}

/** The whole answer as Markdown, or the result's JSON as in its file. */
function Answers({ details, results }: PartProps) {
  const { session, strings } = results;
  if (details.raw.text === '') return null;
  const hasText = details.answers.length > 0 || details.beside.length > 0;
  const asJson = session.asJson.value || !hasText;
  return (
    <section class="details-message">
      {hasText && <ViewButtons results={results} asJson={asJson} />}
      {asJson ? (
        <>
          <pre class="results-json" tabIndex={0} aria-label={strings.asJson}>
            {details.raw.text}
          </pre>
          {details.raw.cut && <p class="details-note">{details.raw.cut}</p>}
        </>
      ) : (
        <>
          {details.answers.map((answer, index) => (
            <Answer key={`${details.row} ${index}`} answer={answer} results={results} />
          ))}
          <Texts texts={details.beside} />
        </>
      )}
    </section>
  );
}

function ViewButtons({
  results: { session, strings },
  asJson,
}: {
  readonly results: Results;
  readonly asJson: boolean;
}) {
  return (
    <div class="results-view" role="group" aria-label={strings.answerView}>
      {[false, true].map((json) => (
        <button
          type="button"
          class="results-view-button"
          key={String(json)}
          aria-pressed={asJson === json}
          onClick={() => (session.asJson.value = json)}
        >
          {json ? strings.asJson : strings.asText}
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
