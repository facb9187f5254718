export type ExportFormat = 'jsonl' | 'csv' | 'markdown';

export interface ExportRequest {
  readonly format: ExportFormat;
  /** The rows shown, in order, or all rows. */
  readonly what: 'shown' | 'all';
  readonly target: string;
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

export interface ExportResult {
  readonly rows: number;
  readonly bytes: number;
}
