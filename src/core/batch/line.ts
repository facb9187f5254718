import type { BatchRules } from './services/batchRules';
import type { Problem, Span } from './problem';
import type { EndpointKind } from './rules/endpoint';
import type { JsonNode } from './scan/jsonTree';

/** A line that is a JSON object, as passed to rules. */
export interface Line {
  readonly text: string;
  readonly root: JsonNode;
  /** Its endpoint. */
  readonly kind: EndpointKind;
  /** Those of the service that the file is for. */
  readonly rules: BatchRules;
}

/** Checks one line on its own. */
export type LineRule = (line: Line) => Iterable<Problem>;

/** A string of the line, unescaped and not empty, with the span of its literal including the quotes. */
export interface LineName {
  readonly value: string;
  readonly span: Span;
}

export interface LineReading {
  /** Empty, or only spaces and tabs. */
  readonly isBlank: boolean;
  readonly customId: LineName | undefined;
  readonly model: LineName | undefined;
  readonly url: LineName | undefined;
  /** Its endpoint. */
  readonly kind: EndpointKind;
  /** Sorted by position. */
  readonly problems: readonly Problem[];
}
