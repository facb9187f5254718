import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import { makeFolder } from '../../core/storage/privateFiles';
import type { Connections } from '../account/account';
import type { Disposable } from '../../platform/disposables';
import { bytesText } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { createVirtualDocuments } from '../../platform/virtualDocuments';
import type { VirtualDocuments } from '../../platform/virtualDocuments';
import { showMessage, withProgress } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** More is too much for an editor, which highlights it and computes its folding ranges at once. */
const mostBytesOpened = 5_000_000;
/** A guard against a service that never stops sending; no result is this large. */
const mostBytesSaved = 100_000_000_000;

/** A file stored at the service. */
export interface RemoteContent {
  /** An ID, or the URL that a batch uses instead. */
  readonly file: string;
  /** The file's name; its extension determines the language in the editor. */
  readonly name: string;
  readonly bytes?: number | undefined;
}

/** Asks the user where to save a file; `undefined`: nowhere. */
type AskWhere = (proposed: vscode.Uri) => Thenable<vscode.Uri | undefined>;

/** Shows and saves messages of the service and the content of its files. */
export class RemoteContents implements Disposable {
  private documents: VirtualDocuments | undefined;

  /** `askWhere` replaces the save dialog. */
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly connections: Connections,
    private readonly askWhere: AskWhere = askForPlace,
  ) {}

  /** Opens a read-only editor; the extension of the name determines its language. */
  async show(name: string, text: string): Promise<void> {
    this.documents ??= createVirtualDocuments('inference-desk-file');
    const uri = this.documents.add(safeName(name), text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Opens a small file in a read-only editor; for a larger one, asks the user where to save it. */
  async open(content: RemoteContent): Promise<void> {
    if ((content.bytes ?? 0) > mostBytesOpened) return this.saveInstead(content);
    const { context, connections } = this;
    const folder = path.join(context.globalStorageUri.fsPath, 'contents');
    const toPath = path.join(folder, randomUUID());
    await makeFolder(folder);
    try {
      await fetchContent(connections, content, { toPath, maxBytes: mostBytesOpened });
      await this.show(content.name, await readFile(toPath, 'utf8'));
    } catch (error) {
      if (isApiError(error) && error.kind === 'tooLarge' && content.bytes === undefined)
        return this.saveInstead(content);
      throw explained(error, content);
    } finally {
      await rm(toPath, { force: true });
    }
  }

  /** Resolves to the path where it was saved, or `undefined` if the user canceled. */
  async saveAs(content: RemoteContent): Promise<vscode.Uri | undefined> {
    const { connections, askWhere } = this;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir();
    const target = await askWhere(vscode.Uri.file(path.join(folder, safeName(content.name))));
    if (!target) return undefined;
    if (target.scheme !== 'file') {
      throw new UserError(l10n.t("Can't save to this location"), l10n.t('Choose a folder on this machine.'));
    }
    try {
      await fetchContent(connections, content, { toPath: target.fsPath, maxBytes: mostBytesSaved, isPrivate: false });
    } catch (error) {
      throw explained(error, content);
    }
    return target;
  }

  dispose(): void {
    this.documents?.dispose();
  }

  private async saveInstead(content: RemoteContent): Promise<void> {
    const save = l10n.t('Save As…');
    const words =
      content.bytes === undefined
        ? l10n.t('{0} is too large for an editor.', content.name)
        : l10n.t('{0} is too large for an editor ({1}).', content.name, bytesText(content.bytes, vscode.env.language));
    if ((await showMessage('information', words, save)) === save) await this.saveAs(content);
  }
}

function askForPlace(defaultUri: vscode.Uri): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({ defaultUri, title: l10n.t('Save Content') });
}

async function fetchContent(
  connections: Connections,
  { file, name, bytes: known }: RemoteContent,
  target: { readonly toPath: string; readonly maxBytes: number; readonly isPrivate?: boolean },
): Promise<void> {
  const title = l10n.t('Loading {0}', foreign(name));
  const shown = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  await withProgress(shown, async (progress, token) => {
    const cancelling = new AbortController();
    token.onCancellationRequested(() => cancelling.abort());
    let before = 0;
    const onProgress = (bytes: number, declared = known) => {
      const percent = declared ? Math.min(100, Math.floor((bytes / declared) * 100)) : 0;
      progress.report({ increment: percent - before, message: bytesText(bytes, vscode.env.language) });
      before = percent;
    };
    const client = await connections.client();
    await client.files.content({ file, ...target, onProgress }, cancelling.signal);
  });
}

/** Replaces an error that the user can act on with a `UserError`. */
function explained(error: unknown, { name }: RemoteContent): unknown {
  if (!isApiError(error) || error.kind !== 'notOffered') return error;
  return new UserError(
    l10n.t("This service doesn't support file downloads"),
    l10n.t("{0} can be used in batches, but its content can't be downloaded.", foreign(name)),
  );
}

/** Converts a name chosen by a service to one that every file system accepts and that cannot leave the folder. */
function safeName(name: string): string {
  const plain = path
    .basename(name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_'))
    .slice(-120)
    .replace(/^[.\s]+/, '');
  return plain === '' ? 'file' : plain;
}
