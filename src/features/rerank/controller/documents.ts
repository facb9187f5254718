import { possibleSplits, proposeSplit, splitText } from '../../../core/ranking/splitText';
import type { TextSplit } from '../../../core/ranking/textSplit';
import { estimateTokens } from '../../../core/tokens/estimate';
import type { SplitBy } from '../../../protocol/rerank';
import type { RerankSource, SourcePlace, SourceText } from '../sources/rerankSource';

/** One text to be ranked, and where it is from. */
export interface SourceDocument {
  /** As it is sent. */
  readonly text: string;
  /** What a person calls the text it is from. */
  readonly name: string;
  /** As it stands in that text. */
  readonly piece: string;
  /** Where it begins there; absent where the text stands nowhere. */
  readonly at?: SourcePlace;
}

export interface SourceDocuments {
  readonly by: SplitBy;
  readonly list: readonly SourceDocument[];
  /** One for each text of the source. */
  readonly splits: readonly TextSplit[];
  /** Estimated, of a document alone. */
  tokensOf(index: number): number;
}

/** The documents of a source in the order of its texts. */
export function documentsOf({ texts }: RerankSource, by: SplitBy): SourceDocuments {
  const splits = texts.map(({ text }) => splitText(text, by));
  const list = texts.flatMap((text, at) => partsOf(text, splits[at]!));
  const tokens: number[] = [];
  return { by, list, splits, tokensOf: (index) => (tokens[index] ??= estimateTokens(list[index]?.text ?? '')) };
}

/** How many documents each way to split makes of all texts together, in the order they are offered. */
export function splitsOf({ texts }: RerankSource): readonly { readonly by: SplitBy; readonly count: number }[] {
  const counts = new Map<SplitBy, number>();
  for (const { text } of texts) {
    for (const { by, count } of possibleSplits(text)) counts.set(by, (counts.get(by) ?? 0) + count);
  }
  return [...counts].map(([by, count]) => ({ by, count }));
}

/** What a person most likely means: several texts are compared as they are, one is taken apart. */
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

/** The places of offsets that only rise: each line end is looked at once. */
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
