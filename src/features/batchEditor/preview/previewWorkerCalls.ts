import type { ListedModels } from '../../../core/batch/fileRules';
import type { Severity } from '../../../core/batch/problem';
import type { PreviewLine, PreviewLoaded } from '../../../core/batch/preview/previewFile';
import type { PreviewRow } from '../../../core/batch/preview/previewRow';
import type { Call } from '../../../protocol/call';
import type { PreviewView } from '../../../protocol/batchPreview';

/** What the worker is started with. */
export interface PreviewWorkerData {
  readonly path: string;
  /** What the person set, by code; what is not in it weighs as usual, what is `null` is not shown. */
  readonly severities: Readonly<Record<string, Severity | null>>;
  readonly models: ListedModels | undefined;
  readonly translations: Readonly<Record<string, string>> | undefined;
}

/** What the host asks the worker that holds a file. It keeps the host free while a large file is read, sorted or searched. */
export interface PreviewWorkerCalls {
  readonly state: never;
  readonly strings: Record<never, never>;
  readonly calls: {
    /** To be called first. Cancelling ends the reading: what was read is there. */
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
