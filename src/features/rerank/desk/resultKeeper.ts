import type { SplitBy } from '../../../protocol/rerank';
import type { NewResult, RerankDesk } from './rerankDesk';

/** Writes down what comes of a run while it goes on. */
export interface ResultKeeper {
  /** Of several while one is being written, the last is. */
  soon(result: NewResult): void;
  /** The last: resolves when it is written, or was found not to be. */
  last(result: NewResult): Promise<void>;
}

export function createResultKeeper(desk: RerankDesk, by: SplitBy): ResultKeeper {
  let next: NewResult | undefined;
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    for (let result = next; result; result = next) {
      next = undefined;
      await desk.keepResult(by, result);
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
      await desk.keepResult(by, result);
    },
  };
}
