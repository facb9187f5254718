import type { Rerank } from './rerankContext';

/** The Rerank button, which is Stop during a run; beside it the progress, or the obstacle. */
export function RunButton({ rerank: { session, strings } }: { readonly rerank: Rerank }) {
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
        <vscode-button key="stop" appearance="secondary" title={strings.stopHint} onClick={() => session.runner.stop()}>
          {strings.stop}
        </vscode-button>
      </span>
    );
  }
  const canRun = session.page.value !== undefined && obstacle === undefined && !session.reading.value;
  return (
    <span class="rerank-run">
      <span class={`rerank-muted rerank-obstacle-${obstacle ?? 'none'}`} id="run-about">
        {obstacle && strings[obstacle]}
      </span>
      <vscode-button
        key="run"
        appearance="primary"
        title={strings.runHint}
        aria-describedby="run-about"
        disabled={!canRun}
        onClick={() => canRun && void session.run()}
      >
        {strings.run}
      </vscode-button>
    </span>
  );
}
