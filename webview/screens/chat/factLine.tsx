import { Fragment } from 'preact';

/** Facts in one line; those that have no room in it are read by pointing at it. */
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
