import { estimateFileTokens } from '../../core/batch/job/estimateFileTokens';
import { checkOneFile } from '../../services/batchFiles/checkFiles';
import type { FileCheck } from '../../services/batchFiles/checkFiles';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';

/** The progress or result of a file's check. */
export type ReadingState =
  | { readonly kind: 'running'; readonly bytes: number; readonly total: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** `tokens`: the estimated input tokens of its requests; `undefined` if no estimate is possible. */
  | { readonly kind: 'done'; readonly check: FileCheck; readonly tokens: number | undefined };

/** The check of a page's file, which can be stopped and restarted. */
export interface FileReading extends Disposable {
  readonly state: ReadingState;
  /** Restarts the check and aborts the previous one. Resolves once it ended, whatever the outcome. */
  start(): Promise<void>;
  stop(): void;
}

export function createFileReading(path: string, services: Services, onChange: () => void): FileReading {
  let state: ReadingState = { kind: 'stopped' };
  let running: AbortController | undefined;
  const set = (next: ReadingState) => {
    state = next;
    onChange();
  };
  return {
    get state() {
      return state;
    },
    async start() {
      running?.abort();
      const mine = (running = new AbortController());
      const { signal } = mine;
      set({ kind: 'running', bytes: 0, total: 0 });
      try {
        const onProgress = (bytes: number, total: number) => set({ kind: 'running', bytes, total });
        const check = await checkOneFile(path, services, { signal, onProgress });
        const tokens = await estimateFileTokens(path).catch(() => undefined);
        if (!signal.aborted) set({ kind: 'done', check, tokens });
      } catch (error) {
        if (!signal.aborted) set({ kind: 'failed', error });
      } finally {
        if (running === mine) running = undefined;
      }
    },
    stop() {
      if (!running) return;
      running.abort();
      running = undefined;
      set({ kind: 'stopped' });
    },
    dispose() {
      running?.abort();
    },
  };
}
