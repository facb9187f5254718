import * as l10n from '@vscode/l10n';
import type { Results } from './resultsContext';

/** The service's reasons for rejecting the batch. If one names a line, a link goes to it. */
export function Faults({ results: { session } }: { readonly results: Results }) {
  const faults = session.head.value?.faults ?? [];
  if (faults.length === 0) return null;
  return (
    <section class="results-faults" aria-label={l10n.t('Errors the service reports')} tabIndex={0}>
      <h2 class="results-faults-title">{l10n.t('Errors the service reports')}</h2>
      <ul class="results-faults-list">
        {faults.map(({ text, code, line, isChanged }, index) => (
          <li class="results-fault" key={index}>
            {line !== undefined && (
              <button type="button" class="link results-fault-line" onClick={() => session.goToFault(index)}>
                {line}
              </button>
            )}
            <span class="results-fault-text">
              <bdi>{text}</bdi>
              {code !== '' && <code class="results-fault-code">{code}</code>}
              {isChanged && <span class="results-fault-changed">{l10n.t('Changed since it was sent')}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
