import type { Event } from 'vscode';
import type { Disposable } from './disposables';

/** One request and its answer as they were on the wire, the key already redacted. */
export interface Exchange {
  readonly id: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly status?: number | undefined;
  readonly durationMs: number;
  readonly receivedBytes: number;
  readonly traceId?: string | undefined;
  /** What went wrong, in the client's words. */
  readonly problem?: string | undefined;
  /** The whole of it as text to read, possibly shortened. */
  readonly text: string;
}

/** The last raw exchanges with the services. One line each goes to the log. */
export interface ExchangeLog extends Disposable {
  record(exchange: Exchange): void;
  /** Newest first; at most 200. */
  readonly recent: readonly Exchange[];
  readonly onDidRecord: Event<Exchange>;
  /** Opens it as a read-only document. False when it is too old to be kept. */
  show(exchangeId: string): Promise<boolean>;
}
