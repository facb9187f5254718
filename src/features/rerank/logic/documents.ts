import type { RerankSourceKind, SplitBy } from '../../../protocol/rerank';
import { chosenColumns, tableColumns } from '../../../core/ranking/splits/tableRows';
import { possibleSplits, proposeSplit, splitText } from '../../../core/ranking/splitText';
import type { TextSplit } from '../../../core/ranking/textSplit';
import { estimateTokens } from '../../../core/tokens/estimate';
import { cutSlices, usualLimits } from '../../../core/ranking/rankInSlices';
import type { PageChoices } from './rerankStore';

/** Maximum number of characters of a text, because it is stored on disk for each page, and nobody reads a ranking of more. */
export const mostCharacters = 10_000_000;

/** A text that is split into documents. */
export interface SourceText {
  readonly text: string;
  /** Name shown to the user; with `at`, a line number is appended. */
  readonly name: string;
  /** VS Code's language id, if known. */
  readonly languageId?: string | undefined;
  /** Absent if the text has no location, such as the clipboard. */
  readonly at?: SourcePlace | undefined;
}

interface SourcePlace {
  readonly uri: string;
  /** Start of the text, from 0. */
  readonly line: number;
  readonly character: number;
  /** The text was derived from what is at this position, and does not itself occur there. */
  readonly isAbout?: boolean | undefined;
}

/** A source as it was when it was read. */
export interface RerankSource {
  readonly kind: RerankSourceKind;
  /** Localized, for example the file and the lines of the selection. */
  readonly title: string;
  readonly texts: readonly SourceText[];
  /** Localized messages about omitted parts, with the reason. */
  readonly remarks: readonly string[];
}

/** One document to rank, and its origin. */
export interface SourceDocument {
  /** The text as it is sent. */
  readonly text: string;
  /** Name of the source text, as shown to the user. */
  readonly name: string;
  /** The text as it occurs in the source. */
  readonly piece: string;
  /** Where it begins. Missing if the source text has no location, such as the clipboard. */
  readonly at?: SourcePlace;
}

export interface SourceDocuments {
  readonly by: SplitBy;
  /** Of the tables whose rows are the documents. */
  readonly columns?: TableColumns | undefined;
  readonly list: readonly SourceDocument[];
  /** One per text of the source. */
  readonly splits: readonly TextSplit[];
  /** Estimated tokens of one document alone. */
  tokensOf(index: number): number;
}

interface TableColumns {
  readonly all: readonly string[];
  readonly sent: readonly string[];
}

/** Returns the documents of a source, in the order of its texts. `columns`: those of a table to send, or all if none of them exists. */
export function documentsOf({ texts }: RerankSource, by: SplitBy, columns: readonly string[] = []): SourceDocuments {
  const splits = texts.map(({ text }) => splitText(text, by, columns));
  const list = texts.flatMap((text, at) => partsOf(text, splits[at]!));
  const tokens: number[] = [];
  const tokensOf = (index: number) => (tokens[index] ??= estimateTokens(list[index]?.text ?? ''));
  return { by, ...(by === 'rows' && { columns: columnsOf(texts, columns) }), list, splits, tokensOf };
}

/** Returns the columns of all tables of a source. */
function columnsOf(texts: readonly SourceText[], columns: readonly string[]): TableColumns {
  const all = [...new Set(texts.flatMap(({ text }) => tableColumns(text) ?? []))];
  return { all, sent: chosenColumns(all, columns) };
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
  if (!first || second) return 'whole';
  return isTable(first) ? 'rows' : proposeSplit(first.text, first.languageId);
}

/** Whether a text is a table with its header: the name of its file says so, and it begins where the file does. */
function isTable({ text, name, languageId = '', at }: SourceText): boolean {
  const isNamed = /\.(?:csv|tsv|tab)$/i.test(name) || /^(?:csv|tsv)/.test(languageId);
  return isNamed && (at?.line ?? 0) === 0 && tableColumns(text) !== undefined;
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
  { by, columns = [], excluded }: PageChoices,
  known?: SplitSource,
): SplitSource {
  const isSame = known?.source === source;
  const sameBy = isSame && known.documents.by === by ? known.documents : undefined;
  const sameColumns = sameBy?.columns && chosenColumns(sameBy.columns.all, columns);
  const documents =
    sameBy && sameBy.columns?.sent.join('\n') === sameColumns?.join('\n') ? sameBy : documentsOf(source, by, columns);
  const [first, second] = source.texts;
  return {
    source,
    splits: isSame ? known.splits : splitsOf(source),
    documents,
    sent: sentOf(documents, new Set(excluded[by])),
    isOneText: first?.at !== undefined && !first.at.isAbout && second === undefined,
  };
}

/** Most documents that a page sends. */
export const mostDocuments = 50_000;
/** From this number of requests on, ask for confirmation first. */
export const askFromRequests = 10;
/** Assumed context length if the model's own is unknown: what many rerankers read at most. */
const usualContext = 8192;

/** Estimated size of a ranking. */
export interface SendingPlan {
  readonly documents: number;
  readonly characters: number;
  /** Counts the query once per document, as services do. */
  readonly tokens: number;
  readonly requests: number;
}

export function planSending(documents: SourceDocuments, sent: readonly number[], query: string): SendingPlan {
  const texts = sent.map((index) => documents.list[index]!.text);
  const tokensOf = (index: number) => documents.tokensOf(sent[index]!);
  const queryTokens = estimateTokens(query);
  return {
    documents: sent.length,
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    tokens: sent.reduce((sum, index) => sum + documents.tokensOf(index) + queryTokens, 0),
    requests: cutSlices({ documents: texts, query }, usualLimits, new Set(), tokensOf).length,
  };
}

/** Returns the indexes of the documents to send: all that are not blank, and that the user did not exclude. */
function sentOf({ list }: SourceDocuments, excluded: ReadonlySet<number>): readonly number[] {
  return [...list.keys()].filter((index) => !excluded.has(index) && list[index]?.text !== '');
}

/** Whether a document and the query may exceed the model's context. */
export function isLongFor(tokens: number, queryTokens: number, context: number | undefined): boolean {
  return tokens + queryTokens > (context ?? usualContext);
}

/**
 * Finds a piece in a text that might have been edited since: at its previous offset, or else at its nearest occurrence. Returns `undefined`
 * without one.
 */
export function findPiece(text: string, piece: string, was: number): number | undefined {
  if (piece === '') return undefined;
  if (text.startsWith(piece, was)) return was;
  const before = was > 0 ? text.lastIndexOf(piece, was - 1) : -1;
  const after = text.indexOf(piece, was);
  if (before < 0 || after < 0) return before < 0 && after < 0 ? undefined : Math.max(before, after);
  return was - before <= after - was ? before : after;
}
