import * as l10n from '@vscode/l10n';
import type { ResultsPhase } from '../../../src/protocol/batchResults';

/** The phases of the batch: those it has passed, with their times, and those ahead. */
export function Phases({ phases }: { readonly phases: readonly ResultsPhase[] }) {
  const states = {
    done: l10n.t('passed'),
    current: l10n.t('now'),
    ahead: l10n.t('still to come'),
    ended: l10n.t('ended here'),
  };
  return (
    <ol class="phases" aria-label={l10n.t('How far the batch is')}>
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
