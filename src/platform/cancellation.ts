import type { CancellationToken } from 'vscode';

/** Runs `work` with a signal that aborts when `token` is cancelled. Nothing listens to the token afterwards. */
export async function withSignal<T>(token: CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    listening.dispose();
  }
}
