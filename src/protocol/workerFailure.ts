import type { WireError } from './wire';

/**
 * Converts a worker's error: the system code or the error's name becomes the kind, the message becomes the title. The host localizes it.
 */
export function workerFailure(error: unknown): WireError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  return { kind: code ?? name, title: error instanceof Error ? error.message : String(error), detail: '', actions: [] };
}
