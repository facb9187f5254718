import { Fragment } from 'preact';

/** Facts on one line; the tooltip shows those that do not fit. */
export function FactLine({ facts }: { readonly facts: readonly string[] }) {
  return (
    <span class="facts-text" title={facts.join(' · ')}>
      {facts.map((fact, index) => (
        <Fragment key={fact}>
          <span>{index > 0 ? `· ${fact}` : fact}</span>{' '}
        </Fragment>
      ))}
    </span>
  );
}
