export type BatchStatus =
  | 'in_queue'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelling'
  | 'cancelled';

/** A batch as stored; times are Unix seconds. */
export interface BatchRecord {
  readonly id: string;
  /** The format of a batch with inline requests: Anthropic's or OpenRouter's. Unset if they are in an uploaded file. */
  readonly form?: 'messages' | 'inline';
  /** The model of all requests of the second of them. */
  readonly model?: string;
  /** How many requests were not run, because the batch was canceled or expired. */
  unrun?: number;
  readonly endpoint: string;
  readonly input_file_id: string;
  readonly completion_window: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly replaceModel: string | null;
  readonly outputAs: 'id' | 'url';
  /** Number of lines after which the batch fails as a whole; results until then are retained. */
  readonly failAfter?: number;
  status: BatchStatus;
  errors: readonly string[] | null;
  output_file_id: string | null;
  error_file_id: string | null;
  in_progress_at: number | null;
  finalizing_at: number | null;
  completed_at: number | null;
  failed_at: number | null;
  expired_at: number | null;
  cancelling_at: number | null;
  cancelled_at: number | null;
  request_counts: { readonly total: number; readonly completed: number; readonly failed: number } | null;
}

/** The times of a batch that was just created. */
export const unset = {
  in_progress_at: null,
  finalizing_at: null,
  completed_at: null,
  failed_at: null,
  expired_at: null,
  cancelling_at: null,
  cancelled_at: null,
};

export const isOver = (batch: BatchRecord): boolean =>
  ['completed', 'failed', 'expired', 'cancelled'].includes(batch.status);
