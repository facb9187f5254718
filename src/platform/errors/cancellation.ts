import * as vscode from 'vscode';

/** Runs work of the editor's, which stops at a token, until `signal` says to stop. Then it throws what the signal was aborted with. */
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
