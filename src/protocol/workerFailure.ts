import type { WireError } from './wire';

/** An error as a worker tells it: its system code or its name as the kind, its message as the title. The host words it. */
export function workerFailure(error: unknown): WireError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  return { kind: code ?? name, title: error instanceof Error ? error.message : String(error), detail: '', actions: [] };
}
