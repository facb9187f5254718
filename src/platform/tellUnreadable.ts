import type * as vscode from 'vscode';
import type { UnreadableJob } from '../core/jobs/jobStore';
import { showMessage } from './notify';

export interface UnreadableWords {
  /** For the log. */
  readonly record: string;
  /** For the person: a newer version wrote some. */
  readonly newer: string;
  readonly torn: string;
}

/** Records that are left as they are: named in the log, and told of once for all. */
export function tellUnreadable(
  unreadable: readonly UnreadableJob[],
  log: vscode.LogOutputChannel,
  words: UnreadableWords,
): void {
  if (unreadable.length === 0) return;
  for (const { path, reason } of unreadable) log.warn(`${words.record} is left as it is (${reason}): ${path}`);
  const isNewer = unreadable.some(({ reason }) => reason === 'newer');
  void showMessage('warning', isNewer ? words.newer : words.torn);
}
