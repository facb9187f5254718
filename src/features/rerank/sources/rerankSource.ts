import type { RerankSourceKind } from '../../../protocol/rerank';

/** More than this is not taken: it is kept on disk for each page, and no ranking of so much is read by anybody. */
export const mostCharacters = 10_000_000;

/** A text that documents are made of. */
export interface SourceText {
  readonly text: string;
  /** What a person calls it; with `at` a line's number is added to it. */
  readonly name: string;
  /** The editor's id of its language, where it is known. */
  readonly languageId?: string | undefined;
  /** Absent where it stands nowhere. */
  readonly at?: SourcePlace | undefined;
}

export interface SourcePlace {
  readonly uri: string;
  /** Where the text begins, from 0. */
  readonly line: number;
  readonly character: number;
  /** The text was made from what stands there, and is not itself there. */
  readonly isAbout?: boolean | undefined;
}

/** What was chosen to be ranked, as it was when it was read. */
export interface RerankSource {
  readonly kind: RerankSourceKind;
  /** Worded: e.g. the file and the lines of the selection. */
  readonly title: string;
  readonly texts: readonly SourceText[];
  /** Worded: what was left out, and why. */
  readonly remarks: readonly string[];
}
