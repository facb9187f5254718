import type { RerankSourceKind } from '../../../protocol/rerank';

/** Most characters of a text: it is stored on disk for each page, and nobody reads a ranking of more. */
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

export interface SourcePlace {
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
  /** Localized: what was left out, and why. */
  readonly remarks: readonly string[];
}
