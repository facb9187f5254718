import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import type { DroppedFile } from '../../../protocol/chatOffers';
import { attachEach } from './attachEach';
import { folderWithoutPlace, notAFile } from './attachmentErrors';
import type { AttachmentTray } from './attachmentTray';
import { readFile } from './readAttachment';
import { checkTrust, notText, toAttachment, tooLong } from './toAttachment';

export interface Dropped {
  readonly uris: readonly string[];
  readonly files: readonly DroppedFile[];
}

/** Attaches what was dropped on the page. Validates all URIs before anything is read; then reads them like any other file. */
export async function attachDropped({ uris, files }: Dropped, tray: AttachmentTray): Promise<void> {
  checkTrust();
  const locations = uris.map(toPlace);
  await attachEach([...locations.map((uri) => () => readFile(uri)), ...files.map((file) => () => toFile(file))], tray);
}

/** Accepts only the workspace's URI schemes and local files. Throws a localized error for any other URI. */
function toPlace(text: string): vscode.Uri {
  const uri = parse(text);
  const schemes = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme);
  if (uri && (uri.scheme === 'file' || schemes.includes(uri.scheme))) {
    // No file system should receive the query or fragment of a URI.
    return uri.with({ query: '', fragment: '' });
  }
  // In a remote window, the page names files on the extension host's machine by its remote authority.
  if (uri?.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined) return vscode.Uri.file(uri.path);
  throw notAFile();
}

function parse(text: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
}

async function toFile(file: DroppedFile): Promise<Attachment> {
  if ('text' in file) {
    // Text contains no NUL character; checked again here because the page's decoding is not trusted.
    if (file.text.includes('\0')) throw notText(file.name);
    return toAttachment('file', file.name, '', file.text);
  }
  if (file.trouble === 'folder') throw folderWithoutPlace(file.name);
  throw file.trouble === 'tooLong' ? tooLong(file.name) : notText(file.name);
}
