export interface ResultIdentity {
  /** Distinguishes runs. */
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
  /** The status of the response. Missing without a response. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** The received part of an interrupted response. */
  readonly partial?: unknown;
}

/**
 * Returns a line of the output file, in the format of a batch. The id comes first: a run recognizes its results by it without
 * reading the rest of a line.
 */
export function answerLine(identity: ResultIdentity, { requestId, body }: Answered): string {
  const response = { status_code: 200, request_id: requestId, body };
  return JSON.stringify({ ...head(identity), response, error: null });
}

/** A rejection by the service is in `response`, like an answer; without a response there is only an `error`. */
export function failureLine(identity: ResultIdentity, failed: Failed): string {
  const { code, message, status, requestId, partial } = failed;
  const error = { code, message };
  const response =
    status === undefined ? null : { status_code: status, request_id: requestId ?? '', body: { error: { ...error } } };
  return JSON.stringify({ ...head(identity), response, error, ...(partial !== undefined && { partial }) });
}

/** Returns the line of the batch file that a result belongs to, from its first bytes; `undefined` for lines of other origin. */
export function lineOfResult(start: string): number | undefined {
  const [, line] = /^\{"id":"local_[0-9a-z]+_(\d{1,9})"/.exec(start) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** This many bytes of a line are enough for `lineOfResult`. */
export const resultStartBytes = 64;

function head({ run, line, customId }: ResultIdentity) {
  return { id: `local_${run}_${line}`, custom_id: customId ?? null };
}
