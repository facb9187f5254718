export type SplitBy = 'whole' | 'lines' | 'paragraphs' | 'sentences' | 'listItems' | 'jsonArray' | 'sections' | 'rows';

/** Why a text has no parts of the requested kind. */
export type SplitProblem =
  /** The text is blank. */
  | 'blank'
  /** The text contains zero bytes, so it is binary. */
  | 'binary'
  | 'noListItems'
  | 'noSections'
  /** The text isn't a table with a header and rows of the same length. */
  | 'notTable'
  /** The text is not an array in square brackets. */
  | 'notJsonArray'
  /** The text begins as an array but is not valid JSON. */
  | 'brokenJson'
  /** All elements are blank. */
  | 'emptyJsonArray';

/** One document within a text. */
export interface TextPart {
  /** UTF-16 offsets of the piece that moves when the parts are reordered. */
  readonly start: number;
  readonly end: number;
  /** The text that is sent. Blank only for a row whose chosen columns are blank, which is not sent. */
  readonly text: string;
  /** For a list item, its marker before the piece, which stays in position. */
  readonly marker?: ListMarker;
  /** For a list item, the number of its list. Items of different lists are never mixed. */
  readonly list?: number;
}

export interface ListMarker {
  /** UTF-16 offset of the start of its line. */
  readonly start: number;
  /** Columns by which the item's further lines must be indented to belong to it. */
  readonly width: number;
}

export interface TextSplit {
  readonly by: SplitBy;
  /** In text order, without overlap. */
  readonly parts: readonly TextPart[];
  /** Set only if there are no parts. */
  readonly problem?: SplitProblem;
}
