import type { PreviewDetails } from '../../../src/protocol/batchPreview';
import { DetailsPane } from '../../components/detailsPane';
import { Messages, Pairs } from '../../components/detailsParts';
import { fill } from '../../components/fill';
import type { Preview } from './previewContext';
import { SeverityIcon } from './severity';

/** The details of the selected line. */
export function Details({ preview: { session, strings } }: { readonly preview: Preview }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { line, customId, model, note, failure, problems, parameters } = details;
  const head = (
    <>
      <h2 class="details-title">{fill(strings.detailsOf, line + 1)}</h2>
      <vscode-button onClick={() => session.goTo(line)}>{strings.goTo}</vscode-button>
    </>
  );
  return (
    <DetailsPane
      label={strings.details}
      row={line}
      head={head}
      close={strings.close}
      onClose={() => session.table.close()}
    >
      {(customId || model) && (
        <p class="details-names">
          <bdi class="details-id">{customId}</bdi>
          <bdi class="details-model">{model}</bdi>
        </p>
      )}
      {note && <p class="details-note">{note}</p>}
      {failure && (
        <p class="details-failure" dir="auto">
          {failure}
        </p>
      )}
      {problems.length > 0 && (
        <ul class="details-problems" aria-label={strings.problems}>
          {problems.map(({ severity, message }, index) => (
            <li key={index}>
              <SeverityIcon severity={severity} />
              <span class="spoken">{strings[severity]}</span>
              <span dir="auto">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <Messages {...details} omitted={details.omitted} messages={textsOf(details, strings.noRole)} />
      <Pairs title={strings.parameters} pairs={parameters} />
    </DetailsPane>
  );
}

/** If there is a note on the line as a whole, its text is not a message and gets no role as label. */
function textsOf({ messages, note }: PreviewDetails, noRole: string) {
  return messages.map(({ role, ...message }) => ({ ...message, label: note === undefined ? role || noRole : '' }));
}
