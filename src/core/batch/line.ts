import type { Problem, Span } from './problem';
import type { JsonNode } from './scan/jsonTree';

/** A line that is a JSON object, as rules see it. */
export interface Line {
  readonly root: JsonNode;
}

/** Looks at one line by itself. */
export type LineRule = (line: Line) => Iterable<Problem>;

/** A text of the line, unescaped and not empty, with its quotes' place. */
export interface LineName {
  readonly value: string;
  readonly span: Span;
}

export interface LineReading {
  /** Nothing but white space. */
  readonly isBlank: boolean;
  readonly customId: LineName | undefined;
  readonly model: LineName | undefined;
  /** In the order in which they stand. */
  readonly problems: readonly Problem[];
}
