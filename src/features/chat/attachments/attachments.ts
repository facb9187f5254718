import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { attachedText } from '../../../core/conversation/attachment';
import type { Attachment } from '../../../core/conversation/attachment';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { UserError } from '../../../platform/userError';
import { createVirtualDocuments } from '../../../platform/virtualDocuments';
import type { LastEditor } from '../code/lastEditor';
import { createAttachmentTray } from './attachmentTray';
import type { AttachmentTray } from './attachmentTray';
import { readFile, readProblems, readSelection } from './readAttachment';

/** What goes along with the next question, and the ways it is chosen. All of them throw what they refuse, in words. */
export interface Attachments extends Disposable {
  readonly tray: AttachmentTray;
  addSelection(): void;
  /** Adds what can be added of them; throws for the first that cannot. Without any, the file of the last editor. */
  addFiles(uris: readonly vscode.Uri[]): Promise<void>;
  /** Asks a person what to attach. */
  choose(): Promise<void>;
  /** Shows exactly what is sent of it, read-only. */
  show(attachment: Attachment): Promise<void>;
}

export function createAttachments(lastEditor: LastEditor, changed: () => void): Attachments {
  const store = new DisposableStore();
  const documents = store.add(createVirtualDocuments('inference-desk-attachment'));
  const tray = createAttachmentTray({ newId: randomUUID, changed, tooMany });

  const addSelection = () => tray.add(readSelection(lastEditor.current()));
  const addFiles = async (uris: readonly vscode.Uri[]) => {
    const current = lastEditor.current()?.document.uri;
    const wanted = uris.length > 0 ? uris : current ? [current] : [];
    if (wanted.length === 0) throw noFile();
    const outcomes = await Promise.allSettled(wanted.map(readFile));
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') tray.add(outcome.value);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  };

  return {
    tray,
    addSelection,
    addFiles,
    async choose() {
      const editor = lastEditor.current();
      const chosen = await askPick({
        title: vscode.l10n.t('Add to Chat'),
        placeholder: vscode.l10n.t('What should go along with the question?'),
        canGoBack: false,
        items: offers(editor),
      });
      if (chosen.kind !== 'value') return;
      if (chosen.value === 'selection') addSelection();
      else if (chosen.value === 'file') await addFiles([]);
      else if (chosen.value === 'problems' && editor) tray.add(readProblems(editor.document));
      else await addFiles((await vscode.window.showOpenDialog({ canSelectMany: true })) ?? []);
    },
    async show(attachment) {
      const uri = documents.add(`${attachment.label}.md`, attachedText(attachment));
      await vscode.window.showTextDocument(uri, { preview: true });
    },
    dispose: () => store.dispose(),
  };
}

type Offer = 'selection' | 'file' | 'problems' | 'choose';

function offers(editor: vscode.TextEditor | undefined): readonly PickItem<Offer>[] {
  const items: PickItem<Offer>[] = [];
  if (editor) {
    const name = vscode.workspace.asRelativePath(editor.document.uri);
    const problems = vscode.languages.getDiagnostics(editor.document.uri).length;
    if (!editor.selection.isEmpty) {
      items.push({
        label: vscode.l10n.t('Selection'),
        iconPath: icon('selection'),
        description: name,
        value: 'selection',
      });
    }
    items.push({ label: vscode.l10n.t('Open file'), iconPath: icon('file'), description: name, value: 'file' });
    if (problems > 0) {
      const label = vscode.l10n.t('Problems of the open file ({0})', problems);
      items.push({ label, iconPath: icon('warning'), description: name, value: 'problems' });
    }
  }
  return [...items, { label: vscode.l10n.t('Choose files…'), iconPath: icon('folder-opened'), value: 'choose' }];
}

function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}

function noFile(): UserError {
  return new UserError(
    vscode.l10n.t('No file is open'),
    vscode.l10n.t('Open the file that should go along, then try again.'),
  );
}

function tooMany(most: number): UserError {
  return new UserError(
    vscode.l10n.t('There is no room for more'),
    vscode.l10n.t('At most {0} things go along with one question. Remove some first.', most),
  );
}
