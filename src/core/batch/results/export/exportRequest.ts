export type ExportFormat = 'jsonl' | 'csv' | 'markdown';

export interface ExportRequest {
  readonly format: ExportFormat;
  /** What is shown, in its order, or every row. */
  readonly what: 'shown' | 'all';
  readonly target: string;
  /** Whether a file of this name is replaced. */
  readonly replace: boolean;
}

export interface ExportResult {
  readonly rows: number;
  readonly bytes: number;
}
