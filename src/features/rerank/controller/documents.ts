import { possibleSplits, proposeSplit, splitText } from '../../../core/ranking/splitText';
import type { TextSplit } from '../../../core/ranking/textSplit';
import { estimateTokens } from '../../../core/tokens/estimate';
import type { SplitBy } from '../../../protocol/rerank';
import type { RerankSource, SourcePlace, SourceText } from '../sources/rerankSource';

/** One document to rank, and its origin. */
export interface SourceDocument {
  /** The text as it is sent. */
  readonly text: string;
  /** Name of the source text, as shown to the user. */
  readonly name: string;
  /** The text as it occurs in the source. */
  readonly piece: string;
  /** Where it begins; absent if the source text has no location, such as the clipboard. */
  readonly at?: SourcePlace;
}

export interface SourceDocuments {
  readonly by: SplitBy;
  readonly list: readonly SourceDocument[];
  /** One per text of the source. */
  readonly splits: readonly TextSplit[];
  /** Estimated tokens of one document alone. */
  tokensOf(index: number): number;
}

/** Returns the documents of a source, in the order of its texts. */
export function documentsOf({ texts }: RerankSource, by: SplitBy): SourceDocuments {
  const splits = texts.map(({ text }) => splitText(text, by));
  const list = texts.flatMap((text, at) => partsOf(text, splits[at]!));
  const tokens: number[] = [];
  return { by, list, splits, tokensOf: (index) => (tokens[index] ??= estimateTokens(list[index]?.text ?? '')) };
}

/** Returns the number of documents, over all texts, for each way to split, in the order in which those are offered. */
export function splitsOf({ texts }: RerankSource): readonly { readonly by: SplitBy; readonly count: number }[] {
  const counts = new Map<SplitBy, number>();
  for (const { text } of texts) {
    for (const { by, count } of possibleSplits(text)) counts.set(by, (counts.get(by) ?? 0) + count);
  }
  return [...counts].map(([by, count]) => ({ by, count }));
}

/** Returns the most likely intended split: several texts are compared whole, a single one is split. */
export function proposedSplit({ texts }: RerankSource): SplitBy {
  const [first, second] = texts;
  return first && !second ? proposeSplit(first.text, first.languageId) : 'whole';
}

function partsOf(source: SourceText, { parts }: TextSplit): SourceDocument[] {
  const placeOf = followPlaces(source);
  return parts.map(({ start, end, text }) => {
    const at = placeOf(start);
    return { text, name: source.name, piece: source.text.slice(start, end), ...(at && { at }) };
  });
}

/** Returns a function from offset to position. Offsets must ascend, so that each line end is visited only once. */
function followPlaces({ text, at }: SourceText): (offset: number) => SourcePlace | undefined {
  const ends = text.matchAll(/\r\n|\r|\n/g);
  let next = ends.next();
  let line = at?.line ?? 0;
  let begin = -(at?.character ?? 0);
  return (offset) => {
    while (!next.done && next.value.index + next.value[0].length <= offset) {
      line += 1;
      begin = next.value.index + next.value[0].length;
      next = ends.next();
    }
    if (!at) return undefined;
    return at.isAbout ? at : { uri: at.uri, line, character: offset - begin };
  };
}
