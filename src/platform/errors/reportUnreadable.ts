import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { OnSetAside } from '../../core/files/setAside';
import { foreign } from '../../core/text/foreignText';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import { showMessage } from '../notify';

export interface UnreadableMessages {
  /** For the log. */
  readonly record: string;
  /** For the person: a newer version wrote some. */
  readonly newer: string;
  readonly torn: string;
}

/** Records that are left as they are: named in the log, and told of once for all. */
export function reportUnreadable(
  unreadable: readonly UnreadableJob[],
  log: vscode.LogOutputChannel,
  words: UnreadableMessages,
): void {
  if (unreadable.length === 0) return;
  for (const { path, reason } of unreadable) log.warn(`${words.record} is left as it is (${reason}): ${path}`);
  const isNewer = unreadable.some(({ reason }) => reason === 'newer');
  void showMessage('warning', isNewer ? words.newer : words.torn);
}

/** Tells that a file was set aside: in the log with its place, and the person, who may look at it. */
export function setAsideReporter(log: vscode.LogOutputChannel): OnSetAside {
  return (path, aside) => {
    log.warn(`A file that is not understood was set aside (${path}): ${aside}`);
    const reveal = vscode.l10n.t('Reveal');
    const text = vscode.l10n.t(
      '“{0}” is damaged, or a newer version of this extension wrote it. It is kept as “{1}”, and a new one begins.',
      foreign(basename(path)),
      foreign(basename(aside)),
    );
    void showMessage('warning', text, reveal).then((answer) => {
      if (answer === reveal) void vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(aside));
    });
  };
}
