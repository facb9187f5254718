import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import type { RerankPage, RerankProgress } from '../../../src/protocol/rerank';

export interface Running extends RerankProgress {
  readonly what: 'ranking' | 'comparison';
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onChunk: (progress: RerankProgress) => void;
}

export type RunWork = (options: RunOptions) => Promise<RerankPage>;

interface RunnerOptions {
  /** Announces a text to screen readers. */
  readonly say: (text: string) => void;
  readonly fail: (error: unknown) => void;
  readonly begin: () => void;
}

/** Announcing progress more often would drown out everything else. */
const sayEveryMs = 5000;

/** Runs operations that cost tokens: one at a time, with progress and cancellation. */
export function createRunner({ say, fail, begin }: RunnerOptions) {
  const running = signal<Running | undefined>(undefined);
  let abort: AbortController | undefined;
  return {
    running,
    stop() {
      if (!abort || abort.signal.aborted) return;
      abort.abort();
      say(l10n.t('Stopped.'));
    },
    /** Resolves with the page's new state; `undefined` if the work failed, was stopped, or another run is in progress. */
    async run(what: Running['what'], work: RunWork): Promise<RerankPage | undefined> {
      if (running.peek()) return undefined;
      begin();
      abort = new AbortController();
      running.value = { what, done: 0, total: 0, text: l10n.t('Starting') };
      say(l10n.t('Starting'));
      let said = performance.now();
      const onChunk: RunOptions['onChunk'] = (progress) => {
        running.value = { what, ...progress };
        if (performance.now() - said < sayEveryMs) return;
        said = performance.now();
        say(progress.text);
      };
      try {
        return await work({ signal: abort.signal, onChunk });
      } catch (error) {
        fail(error);
        return undefined;
      } finally {
        running.value = undefined;
      }
    },
  };
}
