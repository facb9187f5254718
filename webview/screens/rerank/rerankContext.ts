import type { RerankStrings } from '../../../src/protocol/rerankStrings';
import type { RerankSession } from './session';

/** Shared by the components of the page. */
export interface Rerank {
  readonly session: RerankSession;
  readonly strings: RerankStrings;
  /** Formats a count for the user's language. */
  readonly number: (count: number) => string;
}
