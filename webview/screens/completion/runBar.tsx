import * as l10n from '@vscode/l10n';
import type { CompletionTarget, CompletionWay } from '../../../src/protocol/completion';
import type { CompletionSession } from './session';

const ways: readonly CompletionWay[] = ['insert', 'replace', 'beside'];

/** The text to complete, and what to do with the result. */
export function RunBar({
  session,
  target,
}: {
  readonly session: CompletionSession;
  readonly target: CompletionTarget;
}) {
  const { name, obstacles } = target;
  const reasons = [...new Set(ways.flatMap((way) => obstacles[way] ?? []))];
  return (
    <footer class="completion-footer">
      <div class="completion-column completion-run">
        <span class="completion-ways">
          {ways.map((way) => (
            <vscode-button
              key={way}
              appearance={way === 'insert' ? 'primary' : 'secondary'}
              disabled={obstacles[way] !== undefined}
              aria-describedby="completion-target"
              onClick={() => obstacles[way] === undefined && void session.run(way)}
            >
              {labelOf(way)}
            </vscode-button>
          ))}
        </span>
        <span class="completion-muted" id="completion-target" aria-live="polite">
          {name !== '' && <bdi>{l10n.t('Completes {0}', name)}</bdi>}
          {reasons.map((reason) => (
            <span class="completion-reason" key={reason}>
              {reason}
            </span>
          ))}
        </span>
      </div>
    </footer>
  );
}

function labelOf(way: CompletionWay): string {
  if (way === 'insert') return l10n.t('Insert After');
  return way === 'replace' ? l10n.t('Replace') : l10n.t('Show Beside');
}
