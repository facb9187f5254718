import type { SplitBy } from '../../../protocol/rerank';
import type { NewResult, RerankController } from './rerankController';

/** Saves the results of a run while it is in progress. */
export interface ResultSaver {
  /** Queues a save; of several queued during a write, only the last is written. */
  soon(result: NewResult): void;
  /** Saves the final result: resolves once it is written, or writing has failed. */
  last(result: NewResult): Promise<void>;
}

export function createResultSaver(controller: RerankController, by: SplitBy): ResultSaver {
  let next: NewResult | undefined;
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    for (let result = next; result; result = next) {
      next = undefined;
      await controller.keepResult(by, result);
    }
    writing = undefined;
  };
  return {
    soon(result) {
      next = result;
      writing ??= writeAll();
    },
    async last(result) {
      next = undefined;
      await writing;
      await controller.keepResult(by, result);
    },
  };
}
