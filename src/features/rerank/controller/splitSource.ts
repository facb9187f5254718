import type { SplitBy } from '../../../protocol/rerank';
import type { RerankSource } from '../sources/rerankSource';
import { documentsOf, splitsOf } from './documents';
import type { SourceDocuments } from './documents';
import { sentOf } from './sending';

/** A source and the documents it is split into. */
export interface SplitSource {
  readonly source: RerankSource;
  readonly splits: ReturnType<typeof splitsOf>;
  readonly documents: SourceDocuments;
  /** Indexes of the documents that are not excluded. */
  readonly sent: readonly number[];
  /** Whether the documents are parts of one text in an editor. */
  readonly isOneText: boolean;
}

export function splitSource(
  source: RerankSource,
  by: SplitBy,
  excluded: readonly number[],
  known?: SplitSource,
): SplitSource {
  const isSame = known?.source === source;
  const documents = isSame && known.documents.by === by ? known.documents : documentsOf(source, by);
  const [first, second] = source.texts;
  return {
    source,
    splits: isSame ? known.splits : splitsOf(source),
    documents,
    sent: sentOf(documents, new Set(excluded)),
    isOneText: first?.at !== undefined && !first.at.isAbout && second === undefined,
  };
}
