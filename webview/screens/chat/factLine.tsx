import { Fragment } from 'preact';
import { type AnswerFacts, facts, responseIds } from './facts';

/** The facts about an answer on one line. The tooltip shows those that do not fit, and the service's ids. */
export function FactLine({ answer, locale }: { readonly answer: AnswerFacts; readonly locale: string }) {
  const known = facts(answer, locale);
  const tooltip = [known.join(' · '), ...responseIds(answer)].filter((line) => line !== '');
  return (
    <span class="facts-text" title={tooltip.join('\n')}>
      {known.map((fact, index) => (
        <Fragment key={fact}>
          <span>{index > 0 ? `· ${fact}` : fact}</span>{' '}
        </Fragment>
      ))}
    </span>
  );
}
