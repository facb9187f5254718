export type Severity = 'error' | 'warning' | 'hint';

/**
 * Every kind of problem that a batch file can have, with its default severity. Errors are what the service rejects, the entire file or one
 * line, and leaked keys. What it might reject, or interpret differently than intended, is only a warning.
 */
export const defaultSeverities = {
  /** The file has no requests. */
  'file.empty': 'error',
  /** One JSON array instead of one request per line. */
  'file.array': 'error',
  /** Each request is spread over several lines (pretty-printed JSON). */
  'file.spread': 'error',
  /** The file begins with a byte-order mark. */
  'file.bom': 'error',
  /** Zero bytes or UTF-16: not text that a service can read. */
  'file.not-text': 'error',
  /** The file is compressed, such as with gzip. */
  'file.compressed': 'error',
  /** More requests than the service accepts in one file. */
  'file.too-many-requests': 'error',
  /** More bytes than the service accepts in one file. */
  'file.too-large': 'error',
  /** The name does not end as the service requires. */
  'file.name': 'error',
  /** The last line does not end with a line break. */
  'file.no-final-newline': 'hint',
  /** Lines end with CRLF; reported once. */
  'file.crlf': 'hint',
  /** Lines end with a carriage return without a line feed; reported once. */
  'file.lone-cr': 'error',
  'line.not-utf8': 'error',
  /** Longer than what is read into memory. */
  'line.too-long': 'error',
  /** More bytes than the service accepts in one line. */
  'line.too-large': 'error',
  'line.blank': 'warning',
  'line.not-json': 'error',
  'line.not-object': 'error',
  /** A key occurs twice in one object, anywhere in the line. */
  'line.duplicate-key': 'warning',
  /** A top-level member that no service knows. */
  'line.unknown-member': 'hint',
  /** Nested so deeply that the contents are not checked. */
  'line.too-deep': 'warning',
  /** Half of a surrogate pair, written as an escape. */
  'line.lone-surrogate': 'warning',
  /** Stands for the problems of a line beyond the first hundred. */
  'line.more-problems': 'warning',
  /** Contains something that looks like an API key or a private key. */
  'line.secret': 'error',
  'custom-id.missing': 'error',
  'custom-id.not-string': 'error',
  'custom-id.empty': 'error',
  'custom-id.duplicate': 'error',
  /** Has characters or a length that the service does not accept. */
  'custom-id.form': 'error',
  'custom-id.long': 'hint',
  'method.missing': 'warning',
  'method.not-post': 'error',
  'url.missing': 'warning',
  'url.unknown': 'error',
  /** A different URL from the first request's. */
  'url.mixed': 'error',
  'body.missing': 'error',
  'body.not-object': 'error',
  'model.missing': 'error',
  /** A different model from the first request's. */
  'model.mixed': 'error',
  /** Empty, or not a string. */
  'model.invalid': 'error',
  /** Not in the list of models. */
  'model.unknown': 'error',
  /** In the list, but not for what its line asks. */
  'model.not-chat': 'error',
  'messages.missing': 'error',
  'messages.not-array': 'error',
  'messages.empty': 'error',
  /** The last message is not from the user. */
  'messages.last-not-user': 'error',
  'message.not-object': 'error',
  'message.no-role': 'error',
  'message.unknown-role': 'error',
  'message.no-content': 'error',
  /** Its text, or one of its parts, is empty. */
  'message.empty': 'warning',
  /** Still contains a `{{name}}` placeholder of a template. */
  'message.unfilled': 'warning',
  /** A tool result that no earlier message requested. */
  'message.tool-without-call': 'warning',
  /** A tool call that no message after it answers. */
  'message.call-unanswered': 'warning',
  /** The type of a content part is that of another API. */
  'message.part-type': 'error',
  /** Longer than the context of its model, by an estimate. */
  'message.beyond-context': 'warning',
  /** An image or file that only this machine can read. */
  'media.local': 'warning',
  'media.not-base64': 'warning',
  /** An image or file within the request, although the service accepts URLs only. */
  'media.inline': 'error',
  /** A JSON schema is announced and missing. */
  'format.no-schema': 'error',
  /** JSON mode, while the messages do not contain the word. */
  'format.no-json-word': 'warning',
  /** A member with a known name whose value has the wrong type. */
  'member.wrong-type': 'error',
  /** A required member of an object is missing. */
  'member.missing': 'error',
  /** Of the right type, but not one of the accepted values or lengths. */
  'member.wrong-value': 'error',
  /** A parameter with a name the service does not know. */
  'body.unknown-member': 'error',
  /** A parameter of another endpoint. */
  'body.other-endpoint': 'error',
  /** A parameter that the model of the request is known to reject. */
  'parameter.not-for-model': 'error',
  /** More than the list of models says the model gives. */
  'parameter.beyond-model': 'warning',
  'parameter.out-of-bounds': 'error',
  /** Within the bounds on one page of the vendor's documentation, but not on another. */
  'parameter.unusual': 'warning',
  /** `stream` has no effect in a batch. */
  'stream.ignored': 'hint',
} as const satisfies Readonly<Record<string, Severity>>;

export type ProblemCode = keyof typeof defaultSeverities;

/** Kinds of errors that make only one request fail, or that do not concern the service. */
const ofOneRequest: ReadonlySet<string> = new Set<ProblemCode>([
  'line.secret',
  'body.unknown-member',
  'body.other-endpoint',
  'parameter.out-of-bounds',
  'parameter.not-for-model',
  'format.no-schema',
]);

/** Whether the service rejects the whole file for an error of this kind, not only the request that has it. */
export function refusesFile(code: string): boolean {
  return !ofOneRequest.has(code) && !code.startsWith('message.') && !code.startsWith('member.');
}

/** Errors that reject a batch but do not block a request sent on its own, as written: there the service decides. */
export const sendableAlone: ReadonlySet<string> = new Set<ProblemCode>([
  'method.missing',
  'url.missing',
  'url.mixed',
  'custom-id.form',
  'line.too-large',
  'messages.last-not-user',
  'body.unknown-member',
  'parameter.out-of-bounds',
]);

/** Whether using another model for all lines fixes problems of this kind. */
export function isOfModel(code: string): boolean {
  return code.startsWith('model.');
}

/** Whether problems of this kind are gone when a file is submitted in parts. */
export function isOfSize(code: string): boolean {
  return code === 'file.too-many-requests' || code === 'file.too-large';
}

/** UTF-16 offsets within a line, without its line break. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Problem {
  readonly code: ProblemCode;
  /** The problem and its fix, for the user. */
  readonly message: string;
  readonly span: Span;
  /** The zero-based line where the `custom_id` was first used. */
  readonly firstLine?: number;
  /** Possible replacements, best first. */
  readonly suggestions?: readonly string[];
}

export interface LineProblem extends Problem {
  /** Zero-based. */
  readonly line: number;
}
