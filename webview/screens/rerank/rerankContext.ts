import type { RerankStrings } from '../../../src/protocol/rerankStrings';
import type { RerankSession } from './session';

/** What every part of the page is given. */
export interface Rerank {
  readonly session: RerankSession;
  readonly strings: RerankStrings;
  /** A count as the person's language writes it. */
  readonly number: (count: number) => string;
}
