import type * as vscode from 'vscode';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { attachEach } from './attachEach';
import type { AttachmentTray } from './attachmentTray';
import { noFile } from './attachmentErrors';
import type { Settings } from '../../../platform/settings';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { readFile, readProblems, readSelection } from './readAttachment';
import { readTerminalSelection } from './terminalSelection';

/** A request to attach something from the editor in its current state. */
export type RequestedAttachment =
  | { readonly from: 'selection' | 'openFile' | 'problems' | 'terminal' }
  /** `isOffered`: chosen from a list we generated, and not picked from all files. */
  | { readonly from: 'uris'; readonly uris: readonly vscode.Uri[]; readonly isOffered?: boolean };

/** Attaches it. Throws a localized error for what it refuses; of several files, attaches those it can, then throws the first error. */
export async function attachRequested(
  wanted: RequestedAttachment,
  tray: AttachmentTray,
  { lastEditor, settings }: { readonly lastEditor: LastEditor; readonly settings: Settings },
): Promise<void> {
  const document = lastEditor.current()?.document;
  switch (wanted.from) {
    case 'selection':
      return tray.add(readSelection(lastEditor.current()));
    case 'terminal':
      return tray.add(await readTerminalSelection());
    case 'problems':
      if (!document) throw noFile();
      return tray.add(readProblems(document));
    case 'openFile':
      if (!document) throw noFile();
      return tray.add(await readFile(document.uri));
    case 'uris': {
      const guard = wanted.isOffered === true ? await offerGuard(settings) : undefined;
      return attachEach(
        wanted.uris.map((uri) => () => readFile(uri, guard)),
        tray,
      );
    }
  }
}

/** Also allows files outside the workspace, because files in tabs are offered too. */
export function offerGuard(settings: Settings): Promise<WorkspaceGuard> {
  return WorkspaceGuard.open(settings, { allowsElsewhere: true });
}
