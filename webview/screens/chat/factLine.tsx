import { Fragment } from 'preact';

/** Facts in one line, which wraps between them: each dot stays with the fact before it. */
export function FactLine({ facts }: { readonly facts: readonly string[] }) {
  return (
    <span class="facts-text">
      {facts.map((fact, index) => (
        <Fragment key={fact}>
          <span>{index < facts.length - 1 ? `${fact} ·` : fact}</span>{' '}
        </Fragment>
      ))}
    </span>
  );
}
