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

/** Attaches what was dropped on the page. All addresses are checked before anything is read; the rest as for any file. */
export async function attachDropped({ uris, files }: Dropped, tray: AttachmentTray): Promise<void> {
  checkTrust();
  const locations = uris.map(toPlace);
  await attachEach([...locations.map((uri) => () => readFile(uri)), ...files.map((file) => () => toFile(file))], tray);
}

/** Only what the workspace is made of, and files of this machine. Throws in words for any other address. */
function toPlace(text: string): vscode.Uri {
  const uri = parse(text);
  const schemes = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme);
  if (uri && (uri.scheme === 'file' || schemes.includes(uri.scheme))) {
    // What an address says beside the path no file system is to hear of.
    return uri.with({ query: '', fragment: '' });
  }
  // The window calls a file of the machine we run on by that machine's name.
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
    // A zero byte is none of a text's; the page decodes, and is not taken at its word.
    if (file.text.includes('\0')) throw notText(file.name);
    return toAttachment('file', file.name, '', file.text);
  }
  if (file.trouble === 'folder') throw folderWithoutPlace(file.name);
  throw file.trouble === 'tooLong' ? tooLong(file.name) : notText(file.name);
}
