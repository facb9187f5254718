export type SplitBy = 'whole' | 'lines' | 'paragraphs' | 'listItems' | 'jsonArray' | 'sections';

/** Why a text has no parts of the kind asked for. */
export type SplitProblem =
  /** There is nothing but blanks. */
  | 'blank'
  /** It has zero bytes: no text. */
  | 'binary'
  | 'noListItems'
  | 'noSections'
  /** It is no array in square brackets. */
  | 'notJsonArray'
  /** It begins as one and is no JSON. */
  | 'brokenJson'
  /** It has no element that says anything. */
  | 'emptyJsonArray';

/** One document within a text. */
export interface TextPart {
  /** UTF-16 offsets of the piece that is moved when the parts change places. */
  readonly start: number;
  readonly end: number;
  /** What is sent: never blank. */
  readonly text: string;
  /** Of a list item: what stands before the piece and stays in its place. */
  readonly marker?: ListMarker;
}

export interface ListMarker {
  /** UTF-16 offset of the start of its line. */
  readonly start: number;
  /** How far the item's further lines are indented to belong to it, in columns. */
  readonly width: number;
}

export interface TextSplit {
  readonly by: SplitBy;
  /** In the order of the text; they do not overlap. */
  readonly parts: readonly TextPart[];
  /** Only without parts. */
  readonly trouble?: SplitProblem;
}
