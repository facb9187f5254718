import * as l10n from '@vscode/l10n';
import { access, constants } from 'node:fs/promises';
import * as vscode from 'vscode';
import { bytesText } from '../../platform/displayText';
import type { MediaAssets } from '../media/media';
import { UserError } from '../../platform/errors/userError';

/**
 * Parses a URI that a page reports as dropped on it. The page is not trusted: only URIs of the workspace's schemes and files of this
 * machine are accepted. Throws `UserError` for any other.
 */
export function droppedUri(text: string): vscode.Uri {
  const uri = parse(text);
  const schemes = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme);
  // File systems must not receive the query or the fragment.
  if (uri && (uri.scheme === 'file' || schemes.includes(uri.scheme))) return uri.with({ query: '', fragment: '' });
  const ofPage = uri && fileOfPage(uri);
  if (ofPage) return ofPage;
  // The window names a file of the machine we run on by that machine's name.
  if (uri?.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined) return vscode.Uri.file(uri.path);
  throw imageNotAccepted(l10n.t('Save the file on this machine or in this workspace first.'));
}

/** Returns the local file that one of our pages shows at a URI, or `undefined` for any other URI. */
export function fileOfPage({ scheme, authority, path }: vscode.Uri): vscode.Uri | undefined {
  const isOfPage = scheme === 'https' && authority.endsWith('.vscode-resource.vscode-cdn.net');
  return isOfPage ? vscode.Uri.file(path) : undefined;
}

/**
 * Returns input for `keepInput`. Throws `UserError`, without reading anything, if it is not a file, has more than `most` bytes, or belongs
 * to an untrusted workspace.
 */
export async function providedImage(uri: vscode.Uri, most: number): Promise<Parameters<MediaAssets['keepInput']>[0]> {
  if (!vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    throw imageNotAccepted(l10n.t('Trust this workspace first.'));
  }
  const { fs } = vscode.workspace;
  const name = uri.path.split('/').at(-1) ?? '';
  try {
    const { type, size } = await fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) throw new Error("This isn't a file.");
    if (size > most) throw imageNotAccepted(tooLargeText(most));
    if (uri.scheme !== 'file') return { bytes: await fs.readFile(uri), name };
    await access(uri.fsPath, constants.R_OK);
    return { path: uri.fsPath };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      l10n.t("Couldn't read the file"),
      l10n.t("{0} isn't a file, or isn't readable.", name || uri.toString(true)),
    );
  }
}

export function imageNotAccepted(why: string): UserError {
  return new UserError(l10n.t("Couldn't use the image"), why);
}

export function tooLargeText(most: number): string {
  return l10n.t('The image is larger than {0}.', bytesText(most, vscode.env.language));
}

function parse(text: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
}
