export interface RetryRequest {
  /** A group of failures by its number. */
  readonly which: 'failed' | 'missing' | 'both' | { readonly group: number };
  readonly target: string;
  /** Whether a file of this name is replaced. */
  readonly replace: boolean;
}

export interface RetryResult {
  readonly requests: number;
  readonly bytes: number;
  /** Of the new file, in hexadecimal. */
  readonly sha256: string;
  /** Lines that would be asked again, but are no requests that could be answered. */
  readonly leftOut: number;
}
