import { severityText } from '../../components/severityIcon';
import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import type { PreviewDetails } from '../../../src/protocol/batchPreview';
import { DetailsPane } from '../../components/detailsPane';
import { Messages, Pairs } from '../../components/detailsParts';
import type { Preview } from './previewContext';
import { SeverityIcon } from './severity';

/** The details of the selected line. */
export function Details({ preview: { session } }: { readonly preview: Preview }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { line, customId, model, note, failure, problems, parameters } = details;
  const head = (
    <>
      <h2 class="details-title">{l10n.t('Line {0}', pageNumber(line + 1))}</h2>
      <vscode-button onClick={() => session.goTo(line)}>{l10n.t('Go to Line')}</vscode-button>
    </>
  );
  return (
    <DetailsPane
      label={l10n.t('Selected line')}
      row={line}
      head={head}
      close={l10n.t('Close')}
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
        <ul class="details-problems" aria-label={l10n.t('Problems of the line')}>
          {problems.map(({ severity, message }, index) => (
            <li key={index}>
              <SeverityIcon severity={severity} />
              <span class="spoken">{severityText(severity)}</span>
              <span dir="auto">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <Messages {...details} omitted={details.omitted} messages={textsOf(details, l10n.t('no role'))} />
      <Pairs title={l10n.t('Parameters')} pairs={parameters} />
    </DetailsPane>
  );
}

/** If there is a note on the line as a whole, its text is not a message and gets no role as label. */
function textsOf({ messages, note }: PreviewDetails, noRole: string) {
  return messages.map(({ role, ...message }) => ({ ...message, label: note === undefined ? role || noRole : '' }));
}
