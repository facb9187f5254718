export type Severity = 'error' | 'warning' | 'hint';

/**
 * Every kind of problem a batch file can have, with how much it weighs unless a person says otherwise. Errors are what the
 * service refuses, the whole file or the line, and keys; what it may refuse, or takes otherwise than it was meant, only warns.
 */
export const defaultSeverities = {
  /** No request in it. */
  'file.empty': 'error',
  /** One JSON array in place of a request per line. */
  'file.array': 'error',
  /** Requests over several lines each, as programs print them for people. */
  'file.spread': 'error',
  /** It begins with a byte-order mark. */
  'file.bom': 'error',
  /** Zero bytes, or UTF-16: no text a service reads. */
  'file.not-text': 'error',
  /** More requests than the service takes in one file. */
  'file.too-many-requests': 'error',
  /** More bytes than the service takes in one file. */
  'file.too-large': 'error',
  /** The last line is not ended. */
  'file.no-final-newline': 'hint',
  /** Lines end with a carriage return too; said once. */
  'file.crlf': 'hint',
  /** Carriage returns without a line feed end lines; said once. */
  'file.lone-cr': 'error',
  'line.not-utf8': 'error',
  /** Longer than what is read into memory. */
  'line.too-long': 'error',
  'line.blank': 'warning',
  'line.not-json': 'error',
  'line.not-object': 'error',
  /** A name stands twice in one object, wherever in the line. */
  'line.duplicate-key': 'warning',
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
  'model.missing': 'error',
  /** Another model than the first request's. */
  'model.mixed': 'error',
  /** Empty, or no text. */
  'model.invalid': 'error',
  /** Not in the list of models. */
  'model.unknown': 'error',
  /** In the list, for another use. */
  'model.not-chat': 'error',
  'messages.missing': 'error',
  'messages.not-array': 'error',
  'messages.empty': 'error',
  /** The last message is not the user's. */
  'messages.last-not-user': 'error',
  'message.not-object': 'error',
  'message.no-role': 'error',
  'message.unknown-role': 'error',
  'message.no-content': 'error',
  /** Its text, or one of its parts, is empty. */
  'message.empty': 'warning',
  /** `{{name}}` of a template stands in it still. */
  'message.unfilled': 'warning',
  /** A tool's answer that no message before it asked for. */
  'message.tool-without-call': 'warning',
  /** A member of a known name whose value is of another type. */
  'member.wrong-type': 'error',
  /** What belongs to an object of this kind is not there. */
  'member.missing': 'error',
  /** Of the right type, and not one of the values, or lengths, that are taken. */
  'member.wrong-value': 'error',
  /** A parameter of a name the service does not know. */
  'body.unknown-member': 'error',
  'parameter.out-of-bounds': 'error',
  /** Within the bounds of one page of the vendor, not of another. */
  'parameter.unusual': 'warning',
  /** `stream` has no effect in a batch. */
  'stream.ignored': 'hint',
} as const satisfies Readonly<Record<string, Severity>>;

export type ProblemCode = keyof typeof defaultSeverities;

/** Kinds of errors for which one request fails, or that are not the service's business. */
const ofOneRequest: ReadonlySet<string> = new Set(['line.secret', 'body.unknown-member', 'parameter.out-of-bounds']);

/** Whether the service refuses the whole file for an error of this kind, and not only the request at fault. */
export function refusesFile(code: string): boolean {
  return !ofOneRequest.has(code) && !code.startsWith('message.') && !code.startsWith('member.');
}

/** For these a batch is refused; of a request that is sent by itself, as it is written, the service decides. */
export const sendableAlone: ReadonlySet<string> = new Set<ProblemCode>([
  'messages.last-not-user',
  'body.unknown-member',
  'parameter.out-of-bounds',
]);

/** Another model for all lines does away with problems of this kind. */
export function isOfModel(code: string): boolean {
  return code.startsWith('model.');
}

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
