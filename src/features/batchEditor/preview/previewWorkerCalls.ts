import type { BatchRules } from '../../../core/batch/services/batchRules';
import type { ListedModels } from '../../../core/batch/fileRules';
import type { Severity } from '../../../core/batch/problem';
import type { PreviewLine, PreviewLoaded } from '../../../core/batch/preview/previewFile';
import type { PreviewRow } from '../../../core/batch/preview/previewRow';
import type { Call } from '../../../protocol/call';
import type { PreviewView } from '../../../protocol/batchPreview';

/** The data the worker is started with. */
export interface PreviewWorkerData {
  readonly path: string;
  /** The user's severities by code. A missing code has its default severity; `null` hides the problem. */
  readonly severities: Readonly<Record<string, Severity | null>>;
  readonly models: ListedModels | undefined;
  /** Those of the service that the file is for; the public service's if absent. */
  readonly rules?: BatchRules;
  readonly translations: Readonly<Record<string, string>> | undefined;
}

/**
 * The host's calls to the worker that holds a file. The worker keeps the host responsive while a large file is read, sorted or searched.
 */
export interface PreviewWorkerCalls {
  readonly state: never;
  readonly strings: Record<never, never>;
  readonly calls: {
    /** Must be called first. Cancelling stops reading; what was read so far remains available. */
    readonly load: Call<Record<never, never>, PreviewLoaded, { readonly bytes: number; readonly total: number }>;
    readonly arrange: Call<PreviewView, { readonly count: number }, { readonly part: number; readonly found: number }>;
    readonly rows: Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly PreviewRow[]; readonly isChanged: boolean }
    >;
    readonly find: Call<{ readonly line: number }, { readonly index?: number }>;
    readonly line: Call<{ readonly line: number }, PreviewLine>;
  };
  readonly events: Record<never, never>;
}
