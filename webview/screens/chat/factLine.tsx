import { type AnswerFacts, endFacts, figures, responseIds, tookText } from './facts';

interface FactLineProps {
  readonly answer: AnswerFacts;
  readonly locale: string;
  /** The name of the model. Missing if it is shown above the answer. */
  readonly model?: string;
  /** When the question was sent. */
  readonly time?: { readonly short: string; readonly full: string };
}

/**
 * The details of an answer on one line: its model, anything unusual, and its duration, and the figures while the pointer or the focus is on
 * the turn. The tooltip has all of them, and the service's IDs.
 */
export function FactLine({ answer, locale, model, time }: FactLineProps) {
  const took = tookText(answer, locale);
  const always = [...(model === undefined ? [] : [model]), ...endFacts(answer), ...(took === undefined ? [] : [took])];
  const counted = [...figures(answer, locale), ...(time ? [time.short] : [])];
  const name = model === undefined ? [] : [answer.model];
  const all = [...endFacts(answer), ...figures(answer, locale), ...(took === undefined ? [] : [took])];
  const tooltip = [...name, all.join(' · '), ...(time ? [time.full] : []), ...responseIds(answer)];
  return (
    <span class="facts-text" title={tooltip.filter((line) => line !== '').join('\n')}>
      {always.length > 0 && (
        <span class="facts-always">
          {always.map((fact, index) => (
            <span key={`${index} ${fact}`} class={fact === took ? 'fact fact-took' : 'fact'}>
              {index > 0 ? `· ${fact} ` : `${fact} `}
            </span>
          ))}
        </span>
      )}
      {counted.map((fact, index) => (
        <span key={`${index} ${fact}`} class="fact fact-figure">
          {index + always.length > 0 ? `· ${fact} ` : `${fact} `}
        </span>
      ))}
    </span>
  );
}
