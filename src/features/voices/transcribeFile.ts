import { basename } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { chooseModel } from '../../core/catalogue/jobs';
import { startModel } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import { withWriting } from '../../platform/workspace/written';
import type { Services } from '../../services/services';
import { checkRecording, recordingEndings } from './recording';

/** Transcribes a file into a new document. Without a file, asks for one; a `MediaStart` names the model. */
export async function transcribeFile(file: unknown, { connections, models, activity }: Services): Promise<void> {
  const path = await pathOf(file);
  if (path === undefined) return;
  await checkRecording(path);
  const model = startModel(file) ?? chooseModel('transcription', await models.ensureFresh());
  if (model === undefined) throw noModel();
  const text = await withWriting(l10n.t('Transcribing {0}', basename(path)), 1, async ({ signal, onProgress }) => {
    const { transcriptions } = await connections.client();
    const work = activity.start(l10n.t('Transcribing'), { paid: true });
    try {
      const told = (sent: number, total: number) => onProgress(total === 0 ? 0 : sent / total);
      return (await transcriptions.create({ model, path, onProgress: told }, signal)).text;
    } finally {
      work.dispose();
    }
  });
  // Untitled: VS Code keeps it until the user saves or discards it.
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ language: 'plaintext', content: text }),
  );
}

async function pathOf(file: unknown): Promise<string | undefined> {
  if (file instanceof vscode.Uri) {
    if (!vscode.workspace.isTrusted) throw untrusted();
    if (file.scheme === 'file') return file.fsPath;
    throw new UserError(l10n.t('This place is not on disk'), l10n.t('Choose a file on disk.'));
  }
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Transcribe'),
      openLabel: l10n.t('Transcribe'),
      filters: { [l10n.t('Recordings')]: recordingEndings, [l10n.t('All files')]: ['*'] },
    })) ?? [];
  return chosen?.fsPath;
}

function untrusted(): UserError {
  return new UserError(
    l10n.t('This workspace is not trusted'),
    l10n.t('Its files stay on this machine until you trust it. Trust the workspace, then transcribe the file.'),
  );
}

function noModel(): UserError {
  return new UserError(
    l10n.t('The service lists no model for transcription'),
    l10n.t('Refresh the models, or choose another profile.'),
  );
}
