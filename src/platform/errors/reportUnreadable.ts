import * as l10n from '@vscode/l10n';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { OnSetAside } from '../../core/storage/storedFile';
import { foreign } from '../../core/text/foreignText';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import { showMessage } from '../notify';

/**
 * Lists records that are left unchanged in the log, as `record`, and warns the user once about all of them: by `newer` if a newer version wrote
 * one of them, else by `torn`.
 */
export function reportUnreadable(
  unreadable: readonly UnreadableJob[],
  log: vscode.LogOutputChannel,
  texts: { readonly record: string; readonly newer: string; readonly torn: string },
): void {
  if (unreadable.length === 0) return;
  for (const { path, reason } of unreadable) log.warn(`${texts.record} is unchanged (${reason}): ${path}`);
  const isNewer = unreadable.some(({ reason }) => reason === 'newer');
  void showMessage('warning', isNewer ? texts.newer : texts.torn);
}

/** Returns a listener that reports a file that was moved aside: in the log with both paths, and to the user, with a button to reveal it. */
export function setAsideReporter(log: vscode.LogOutputChannel): OnSetAside {
  return (path, aside) => {
    log.warn(`A file that is not understood was set aside (${path}): ${aside}`);
    const reveal = l10n.t('Reveal');
    const text = l10n.t(
      '"{0}" is damaged or from a newer version. The old file is now "{1}".',
      foreign(basename(path)),
      foreign(basename(aside)),
    );
    void showMessage('warning', text, reveal).then((answer) => {
      if (answer === reveal) void vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(aside));
    });
  };
}
