export interface ResultIdentity {
  /** Tells runs apart. */
  readonly run: string;
  readonly line: number;
  readonly customId: string | undefined;
}

export interface Answered {
  readonly requestId: string;
  readonly body: unknown;
}

export interface Failed {
  readonly code: string;
  readonly message: string;
  /** What the service answered; absent where no answer came. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** What came of an answer that broke off. */
  readonly partial?: unknown;
}

/** A line of the output file, as a batch writes it. The id stands first: by it a run finds again what it has, without reading the rest of a line. */
export function answerLine(identity: ResultIdentity, { requestId, body }: Answered): string {
  const response = { status_code: 200, request_id: requestId, body };
  return JSON.stringify({ ...head(identity), response, error: null });
}

/** A refusal of the service stands in `response`, as an answer does; what never came to one has only its `error`. */
export function failureLine(identity: ResultIdentity, failed: Failed): string {
  const { code, message, status, requestId, partial } = failed;
  const error = { code, message };
  const response =
    status === undefined ? null : { status_code: status, request_id: requestId ?? '', body: { error: { ...error } } };
  return JSON.stringify({ ...head(identity), response, error, ...(partial !== undefined && { partial }) });
}

/** The line of the batch file that a result is of, by its first bytes; `undefined` for lines of other origin. */
export function lineOfResult(start: string): number | undefined {
  const [, line] = /^\{"id":"local_[0-9a-z]+_(\d{1,9})"/.exec(start) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** So many bytes of a line are enough for `lineOfResult`. */
export const resultStartBytes = 64;

function head({ run, line, customId }: ResultIdentity) {
  return { id: `local_${run}_${line}`, custom_id: customId ?? null };
}
