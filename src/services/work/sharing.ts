import * as vscode from 'vscode';
import { WorkBoard } from '../../core/jobs/workBoard';
import { makeFolder } from '../../core/storage/privateFiles';
import { withDisposables } from '../../platform/withDisposables';
import type { Disposable } from '../../platform/disposables';
import { watchFolder } from '../../platform/workspace/watchFolder';

/** The notes of what windows and servers do, watched for changes. */
export interface Sharing extends Disposable {
  readonly board: WorkBoard;
}

export function openSharing(folder: string, onChange: () => void, onError: (error: unknown) => void): Promise<Sharing> {
  return withDisposables(async (store) => {
    await makeFolder(folder);
    const board = new WorkBoard(folder, () => vscode.workspace.name ?? '');
    store.add({ dispose: () => void board.dispose().catch(onError) });
    store.add(watchFolder(folder, { ending: /\.(?:\d+|stop)$/, onChange, onError }));
    return { board, dispose: () => store.dispose() };
  });
}
