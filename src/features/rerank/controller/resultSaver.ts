import type { SplitBy } from '../../../protocol/rerank';
import type { NewResult, RerankController } from './rerankController';

/** Writes down what comes of a run while it goes on. */
export interface ResultSaver {
  /** Of several while one is being written, the last is. */
  soon(result: NewResult): void;
  /** The last: resolves when it is written, or was found not to be. */
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
