export type Severity = 'error' | 'warning' | 'hint';

/** Every kind of problem a batch file can have, with how much it weighs unless a person says otherwise. */
export const defaultSeverities = {
  /** No request in it. */
  'file.empty': 'error',
  /** One JSON array in place of a request per line. */
  'file.array': 'error',
  /** It begins with a byte-order mark. */
  'file.bom': 'error',
  /** Zero bytes, or UTF-16: no text a service reads. */
  'file.not-text': 'error',
  /** More requests than the service takes in one file. */
  'file.too-many-requests': 'warning',
  /** More bytes than the service takes in one file. */
  'file.too-large': 'warning',
  /** The last line is not ended. */
  'file.no-final-newline': 'hint',
  /** Lines end with a carriage return too; said once. */
  'file.crlf': 'hint',
  /** Carriage returns without a line feed end lines; said once. */
  'file.lone-cr': 'error',
  'line.not-utf8': 'error',
  /** Longer than what is read into memory. */
  'line.too-long': 'error',
  'line.blank': 'error',
  'line.not-json': 'error',
  'line.not-object': 'error',
  /** A name stands twice in one object, wherever in the line. */
  'line.duplicate-key': 'error',
  /** A top-level member no service knows. */
  'line.unknown-member': 'hint',
  /** Nested so deep that what is inside is not looked at. */
  'line.too-deep': 'warning',
  /** Half of a surrogate pair, escaped. */
  'line.lone-surrogate': 'warning',
  /** What looks like a key. */
  'line.secret': 'error',
  'custom-id.missing': 'error',
  'custom-id.not-string': 'error',
  'custom-id.empty': 'error',
  'custom-id.duplicate': 'error',
  'custom-id.long': 'hint',
  'method.missing': 'warning',
  'method.not-post': 'error',
  'url.missing': 'warning',
  'url.unknown': 'error',
  'body.missing': 'error',
  'body.not-object': 'error',
  'model.missing': 'warning',
  /** Another model than the first request's. */
  'model.mixed': 'warning',
  /** Not in the list of models. */
  'model.unknown': 'warning',
  'messages.missing': 'error',
  'messages.not-array': 'error',
  'messages.empty': 'error',
  /** The last message is not the user's. */
  'messages.last-not-user': 'warning',
  'message.not-object': 'error',
  'message.no-role': 'error',
  'message.unknown-role': 'error',
  'message.no-content': 'error',
  /** A tool's answer that no message before it asked for. */
  'message.tool-without-call': 'warning',
  /** A member of a known name whose value is of another type. */
  'member.wrong-type': 'error',
  'parameter.out-of-bounds': 'warning',
  /** `stream` has no effect in a batch. */
  'stream.ignored': 'hint',
} as const satisfies Readonly<Record<string, Severity>>;

export type ProblemCode = keyof typeof defaultSeverities;

/** UTF-16 offsets in its line, without the line's end. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Problem {
  readonly code: ProblemCode;
  /** What is wrong and what to do, for a person. */
  readonly message: string;
  readonly span: Span;
  /** The line, from 0, where a `custom_id` was used first. */
  readonly firstLine?: number;
  /** What could stand in its place, best first. */
  readonly suggestions?: readonly string[];
}

export interface LineProblem extends Problem {
  /** From 0. */
  readonly line: number;
}
