import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { runAction } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import { insertAtCursor } from '../../platform/workspace/insertAtCursor';
import type { UploadController } from './uploadController';

/** Returns the path of the file from a menu or drop, else asks. `undefined` on cancel. Throws `UserError` if it is not on disk. */
export async function chooseSample(file: unknown): Promise<string | undefined> {
  const uri = file instanceof vscode.Uri ? file : await askSample();
  return uri && samplePath(uri);
}

async function askSample(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Upload Voice Sample'),
    openLabel: l10n.t('Select Recording'),
    filters: {
      [l10n.t('Recordings')]: ['mp3', 'wav', 'opus', 'ogg', 'pcm'],
      [l10n.t('All Files')]: ['*'],
    },
  });
  return chosen?.[0];
}

/** Returns the path of a local file. Throws `UserError` for any other URI, and for files in an untrusted workspace. */
export function samplePath(uri: vscode.Uri): string {
  // On a remote host, VS Code names the files of that host `vscode-remote`.
  const isHere = uri.scheme === 'file' || (uri.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined);
  if (!isHere) {
    throw new UserError(l10n.t("The file isn't on disk"), l10n.t('Save the recording on this machine first.'));
  }
  const place = uri.scheme === 'file' ? uri : vscode.Uri.file(uri.path);
  if (!vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(place) !== undefined) {
    throw new UserError(l10n.t("This workspace isn't trusted"), l10n.t('Trust this workspace first.'));
  }
  return place.fsPath;
}

/** Returns the path of a URI from the page, which is not trusted. */
export function droppedPath(address: string): string {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(address, true);
  } catch {
    throw new UserError(l10n.t("Couldn't read the dropped item"), l10n.t('Drop a recording, e.g. from the Explorer.'));
  }
  // A query or fragment must not reach the file system.
  return samplePath(uri.with({ query: '', fragment: '' }));
}

/** Asks for another recording, and shows it. */
export async function chooseOther(controller: UploadController): Promise<void> {
  const uri = await askSample();
  if (uri) await controller.load({ path: samplePath(uri) });
}

/** Runs an action of the page. Unknown ids do nothing: the page is not trusted. */
export async function act(controller: UploadController, id: string): Promise<void> {
  const { sending, panels } = controller;
  const { state } = sending;
  const uri = state.kind === 'created' ? state.uri : undefined;
  switch (id) {
    case 'lookNow':
      return controller.lookNow();
    case 'changeName':
      return sending.clear();
    case 'openNamed': {
      const [first] = state.kind === 'named' ? state.voices : [];
      return first && runCommand('inferenceDesk.voices.open', first.uri);
    }
    case 'another':
      return chooseOther(controller);
    case 'tryVoice':
      return uri === undefined ? undefined : runCommand('inferenceDesk.voices.open', uri);
    case 'copyUri':
      return uri === undefined ? undefined : vscode.env.clipboard.writeText(uri);
    case 'insertUri':
      return uri === undefined ? undefined : insertAtCursor(uri, await panels.lastEditor.reveal());
    default:
      await runAction(id);
      return undefined;
  }
}
