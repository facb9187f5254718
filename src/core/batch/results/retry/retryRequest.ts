export interface RetryRequest {
  /** A group of failures is identified by its number. */
  readonly which: 'failed' | 'missing' | 'both' | { readonly group: number };
  readonly target: string;
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

export interface RetryResult {
  readonly requests: number;
  readonly bytes: number;
  /** Of the new file, in hexadecimal. */
  readonly sha256: string;
  /** Lines that should be retried but cannot be, because they have no id or the id of an earlier line. */
  readonly leftOut: number;
}
