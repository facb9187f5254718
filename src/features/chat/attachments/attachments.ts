import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { attachedText } from '../../../core/conversation/attachment';
import type { Attachment } from '../../../core/conversation/attachment';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import type { VirtualDocuments } from '../../../platform/virtualDocuments';
import type { Settings } from '../../../platform/settings';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import type { ShownConversation } from '../shownConversation';
import { tooMany } from './attachmentErrors';
import { createAttachmentTray } from './attachmentTray';
import type { AttachmentTray } from './attachmentTray';
import { attachDropped } from './dropped';
import type { Dropped } from './dropped';
import { standingOffers } from './offers';
import type { RequestedOffer } from './offers';
import { createOfferSearch } from './searchOffers';
import type { OfferSearch } from './searchOffers';
import { attachRequested } from './attachRequested';
import type { RequestedAttachment } from './attachRequested';

/** The attachments of a location's next question, and the ways to choose them. Each throws a localized error for what it refuses. */
export interface Attachments {
  readonly tray: AttachmentTray;
  /** Resolves once the tray is that of the shown conversation. */
  ready(): Promise<void>;
  readonly offers: OfferSearch;
  add(wanted: RequestedAttachment): Promise<void>;
  drop(dropped: Dropped): Promise<void>;
  /** Asks the user what to attach. */
  choose(): Promise<void>;
  /** Asks the user for a folder. */
  chooseFolder(): Promise<void>;
  /** Shows exactly what is sent of the attachment, read-only. */
  show(attachment: Attachment): Promise<void>;
}

export interface AttachmentsOptions {
  readonly shown: Pick<ShownConversation, 'current' | 'conversation'>;
  readonly lastEditor: LastEditor;
  readonly settings: Settings;
  /** Used to show what is sent. */
  readonly documents: VirtualDocuments;
  readonly changed: () => void;
  /** Called if the attachments could not be written. */
  readonly onTrouble: (error: unknown) => void;
}

export function createAttachments({
  shown,
  lastEditor,
  settings,
  documents,
  ...told
}: AttachmentsOptions): Attachments {
  const tray = createAttachmentTray({
    ...told,
    draft: () => shown.conversation?.attached,
    newId: randomUUID,
    tooMany,
  });
  const ready = async () => void (await shown.current());
  const add = async (wanted: RequestedAttachment) => {
    await ready();
    await attachRequested(wanted, tray, { lastEditor, settings });
  };
  const addFrom = async (options: vscode.OpenDialogOptions) => {
    const uris = await vscode.window.showOpenDialog({ canSelectMany: true, ...options });
    if (uris) await add({ from: 'uris', uris });
  };
  const chooseFolder = () => addFrom({ canSelectFolders: true, canSelectFiles: false });

  return {
    tray,
    offers: createOfferSearch(lastEditor, settings),
    add,
    chooseFolder,
    ready,
    async drop(dropped) {
      await ready();
      await attachDropped(dropped, tray);
    },
    async choose() {
      const chosen = await askPick<RequestedAttachment | 'files' | 'folder'>({
        title: vscode.l10n.t('Add to Chat'),
        placeholder: vscode.l10n.t('What should go along with the question?'),
        canGoBack: false,
        items: [
          ...standingOffers(lastEditor).map(toPickItem),
          { label: vscode.l10n.t('Choose files…'), iconPath: icon('folder-opened'), value: 'files' },
          { label: vscode.l10n.t('List of the files in a folder…'), iconPath: icon('list-tree'), value: 'folder' },
        ],
      });
      if (chosen.kind !== 'value') return;
      if (chosen.value === 'files') await addFrom({});
      else if (chosen.value === 'folder') await chooseFolder();
      else await add(chosen.value);
    },
    async show(attachment) {
      const uri = documents.add(`${attachment.label}.md`, attachedText(attachment));
      await vscode.window.showTextDocument(uri, { preview: true });
    },
  };
}

const offerIcons: Readonly<Record<RequestedOffer['kind'], string>> = {
  selection: 'selection',
  openFile: 'file',
  problems: 'warning',
  terminal: 'terminal',
  file: 'file',
  folder: 'folder',
};

function toPickItem({ kind, name, detail, wanted }: RequestedOffer): PickItem<RequestedAttachment> {
  return { label: name, description: detail, iconPath: icon(offerIcons[kind]), value: wanted };
}

function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}
