import type { ResultsPhase } from '../../../src/protocol/batchResults';
import type { Results } from './resultsContext';

/** The phases of the batch: those it has passed, with their times, and those ahead. */
export function Phases({
  results: { strings },
  phases,
}: {
  readonly results: Results;
  readonly phases: readonly ResultsPhase[];
}) {
  const states = {
    done: strings.phaseDone,
    current: strings.phaseCurrent,
    ahead: strings.phaseAhead,
    ended: strings.phaseEnded,
  };
  return (
    <ol class="phases" aria-label={strings.phases}>
      {phases.map(({ label, detail, hint, state }, index) => (
        <li
          class={`phase phase-${state}`}
          key={index}
          title={hint || undefined}
          aria-current={state === 'current' ? 'step' : undefined}
        >
          <span class="phase-label">{label}</span>
          <span class="spoken">{states[state]}</span>
          <span class="phase-detail">{detail}</span>
        </li>
      ))}
    </ol>
  );
}
