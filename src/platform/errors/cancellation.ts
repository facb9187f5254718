import * as vscode from 'vscode';

/** Runs editor work with a token that is canceled when `signal` is aborted; then throws the signal's reason. */
export async function withToken<T>(
  signal: AbortSignal | undefined,
  work: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal?.addEventListener('abort', cancel);
  try {
    const result = await work(source.token);
    signal?.throwIfAborted();
    return result;
  } finally {
    signal?.removeEventListener('abort', cancel);
    source.dispose();
  }
}
