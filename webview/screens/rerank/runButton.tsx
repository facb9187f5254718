import * as l10n from '@vscode/l10n';
import type { RerankSession } from './session';
import { obstacleText } from './form';

/** The Rerank button, which is Stop during a run; beside it the progress, or the obstacle. */
export function RunButton({ session }: { readonly session: RerankSession }) {
  const running = session.runner.running.value;
  const obstacle = session.obstacle.value;
  if (running) {
    const { text, done, total } = running;
    return (
      <span class="rerank-run">
        <span class="rerank-running">
          {text}
          {total > 0 && <progress class="reading-bar" aria-label={text} max={total} value={done} />}
        </span>
        <vscode-button
          key="stop"
          appearance="secondary"
          title={l10n.t('Stop (Escape)')}
          onClick={() => session.runner.stop()}
        >
          {l10n.t('Stop')}
        </vscode-button>
      </span>
    );
  }
  const canRun = session.page.value !== undefined && obstacle === undefined && !session.reading.value;
  return (
    <span class="rerank-run">
      <span class={`rerank-muted rerank-obstacle-${obstacle ?? 'none'}`} id="run-about">
        {obstacle && obstacleText(obstacle)}
      </span>
      <vscode-button
        key="run"
        appearance="primary"
        title={l10n.t('Rerank (Enter)')}
        aria-describedby="run-about"
        disabled={!canRun}
        onClick={() => canRun && void session.run()}
      >
        {l10n.t('Rerank')}
      </vscode-button>
    </span>
  );
}
