import type { Results } from './resultsContext';

/** The service's reasons for rejecting the batch. If one names a line, a link goes to it. */
export function Faults({ results: { session, strings } }: { readonly results: Results }) {
  const faults = session.head.value?.faults ?? [];
  if (faults.length === 0) return null;
  return (
    <section class="results-faults" aria-label={strings.faults} tabIndex={0}>
      <h2 class="results-faults-title">{strings.faults}</h2>
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
              {isChanged && <span class="results-fault-changed">{strings.faultChanged}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
