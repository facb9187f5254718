import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Attachment, attachedText } from '../../../core/conversation/attachment';
import { type PickItem, askPick } from '../../../platform/quickInput';
import type { VirtualDocuments } from '../../../platform/virtualDocuments';
import type { ShownConversation } from '../logic/shownConversation';
import {
  checkTrust,
  decodeOther,
  imageExtensions,
  imageTooLarge,
  noImage,
  OversizedImage,
  toImage,
  folderWithoutPlace,
  noFile,
  notAFile,
  notText,
  readFile,
  readProblems,
  readSelection,
  readLastCommand,
  readTerminalSelection,
  toAttachment,
  tooLong,
  tooMany,
} from './readAttachment';
import { images, offerGuard, createOfferSearch, standingOffers } from './offers';
import type { OfferSearch, OfferSources, RequestedAttachment, RequestedOffer } from './offers';
import { readChanges } from './readChanges';
import { readEditorContext } from './editorContext';
import { readSymbol } from './symbols';
import { type AttachmentTray, type TrayListener, createAttachmentTray } from '../logic/attachmentTray';
import type { DroppedFile, EditorContext } from '../../../protocol/chatOffers';
import { offerIcons } from '../../../protocol/offerIcons';
import type { UserError } from '../../../platform/errors/userError';
import type { Handlers } from '../../../protocol/call';
import type { ChatScreen } from '../../../protocol/chat';
import type { ChatSession } from '../logic/chatSession';

/** The attachments of a location's next question, and the ways to choose them. Each throws a localized error for what it refuses. */
export interface Attachments {
  readonly tray: AttachmentTray;
  /** Resolves once the tray is that of the shown conversation. */
  ready(): Promise<void>;
  readonly offers: OfferSearch;
  add(requested: RequestedAttachment): Promise<void>;
  drop(dropped: Dropped): Promise<void>;
  /** Returns what the user works on, if it may be attached without being picked. */
  context(): Promise<EditorContext | undefined>;
  /** Asks the user what to attach. */
  choose(): Promise<void>;
  /** Asks the user for a folder. */
  chooseFolder(): Promise<void>;
  /** Shows exactly what is sent of the attachment, read-only. */
  show(attachment: Attachment): Promise<void>;
}

export interface AttachmentsOptions extends TrayListener, OfferSources {
  readonly shown: Pick<ShownConversation, 'current' | 'conversation'>;
  /** Used to show what is sent. */
  readonly documents: VirtualDocuments;
  /** Has an image scaled down and dropped again. Returns whether a page is there to do that. */
  readonly scaleImage: (name: string, bytes: Uint8Array) => boolean;
}

export function createAttachments({
  shown,
  lastEditor,
  settings,
  documents,
  scaleImage,
  ...listener
}: AttachmentsOptions): Attachments {
  const tray = createAttachmentTray(() => shown.conversation?.attached, listener, tooMany);
  const ready = async () => void (await shown.current());
  const add = async (requested: RequestedAttachment): Promise<void> => {
    await ready();
    if (requested.from === 'browse') await addFrom({ canSelectFolders: true });
    else if (requested.from === 'image') await addFrom({ filters: { [l10n.t('Images')]: [...imageExtensions] } });
    else await attachEach(await readersOf(requested, { lastEditor, settings }), tray, scaleImage);
  };
  const addFrom = async (options: vscode.OpenDialogOptions) => {
    const uris = await vscode.window.showOpenDialog({ canSelectMany: true, ...options });
    if (uris) await add({ from: 'uris', uris });
  };
  const chooseFolder = () => addFrom({ canSelectFolders: true, canSelectFiles: false });

  return {
    tray,
    offers: createOfferSearch({ lastEditor, settings }),
    add,
    chooseFolder,
    context: () => readEditorContext(lastEditor, settings),
    ready,
    async drop(dropped) {
      await ready();
      await attachEach(droppedReaders(dropped), tray, scaleImage);
    },
    async choose() {
      const chosen = await askPick<RequestedAttachment | 'files' | 'folder'>({
        title: l10n.t('Add to Chat'),
        placeholder: l10n.t('Choose what to attach'),
        canGoBack: false,
        items: [
          ...standingOffers(lastEditor).map(toPickItem),
          toPickItem(images()),
          { label: l10n.t('Choose Files…'), iconPath: icon('folder-opened'), value: 'files' },
          { label: l10n.t('List of Files in a Folder…'), iconPath: icon('list-tree'), value: 'folder' },
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

type Reader = () => Attachment | Promise<Attachment>;

/** Returns what reads each of the requested attachments. A reader throws a localized error for what it refuses. */
async function readersOf(
  requested: Exclude<RequestedAttachment, { readonly from: 'browse' | 'image' }>,
  { lastEditor, settings }: OfferSources,
): Promise<readonly Reader[]> {
  const document = lastEditor.current()?.document;
  switch (requested.from) {
    case 'selection':
      return [() => readSelection(lastEditor.current())];
    case 'terminal':
      return [readTerminalSelection];
    case 'lastCommand':
      return [readLastCommand];
    case 'changes':
      return [async () => readChanges(await offerGuard(settings))];
    case 'symbol':
      return [async () => readSymbol(requested, await offerGuard(settings))];
    case 'problems':
      if (!document) throw noFile();
      return [() => readProblems(document)];
    case 'openFile':
      if (!document) throw noFile();
      return [() => readFile(document.uri)];
    case 'uris': {
      const guard = requested.isOffered === true ? await offerGuard(settings) : undefined;
      return requested.uris.map((uri) => () => readFile(uri, guard));
    }
  }
}

/** Adds everything that can be read, in the given order, then throws the first error. */
async function attachEach(
  readers: readonly Reader[],
  tray: AttachmentTray,
  scaleImage: AttachmentsOptions['scaleImage'],
): Promise<void> {
  const outcomes = await Promise.allSettled(readers.map(async (read) => read()));
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') tray.add(outcome.value);
  const isScaled = (error: unknown) => error instanceof OversizedImage && scaleImage(error.label, error.bytes);
  const refusal = outcomes.find((outcome) => outcome.status === 'rejected' && !isScaled(outcome.reason));
  if (refusal?.status === 'rejected') throw refusal.reason;
}

function toPickItem({ kind, name, detail, requested }: RequestedOffer): PickItem<RequestedAttachment> {
  return { label: name, description: detail, iconPath: icon(offerIcons[kind]), value: requested };
}

function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}

interface Dropped {
  readonly uris: readonly string[];
  readonly files: readonly DroppedFile[];
}

/** Returns what reads the files that were dropped on the page. Validates all URIs before anything is read. */
function droppedReaders({ uris, files }: Dropped): readonly Reader[] {
  checkTrust();
  const locations = uris.map(toUri);
  return [...locations.map((uri) => () => readFile(uri)), ...files.map((file) => () => toFile(file))];
}

/** Accepts only the workspace's URI schemes and local files. Throws a localized error for any other URI. */
function toUri(text: string): vscode.Uri {
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
  if ('base64' in file) {
    const text = await decodeOther(file.name, Buffer.from(file.base64, 'base64'));
    return toAttachment('file', file.name, '', text);
  }
  if ('image' in file) return toImage(file.name, Buffer.from(file.image, 'base64'));
  throw problemOf(file);
}

function problemOf({ name, problem }: Extract<DroppedFile, { readonly problem: string }>): UserError {
  switch (problem) {
    case 'folder':
      return folderWithoutPlace(name);
    case 'tooLong':
      return tooLong(name);
    case 'notText':
      return notText(name);
    case 'noImage':
      return noImage(name);
    case 'imageTooLarge':
      return imageTooLarge(name);
  }
}

/** Handlers for the page's calls about attachments. The page only passes ids and positions; contents are read here. */
export function attachmentHandlers(attachments: Attachments, session: ChatSession) {
  const { tray } = attachments;
  return {
    'chat/attachments': async () => {
      await attachments.ready();
      return { chips: tray.chips };
    },
    'chat/detach': async ({ id }) => {
      tray.remove([id]);
      return {};
    },
    'chat/showAttachment': async ({ id }) => {
      await attachments.show(tray.get(id));
      return {};
    },
    'chat/showSentAttachment': async ({ turnId, index }) => {
      const attachment = (await session.turn(turnId))?.attachments?.[index];
      if (!attachment) throw new Error('No request was sent there.');
      await attachments.show(attachment);
      return {};
    },
    'chat/attachedImage': async ({ id, turnId }) => {
      const attachment = turnId === undefined ? tray.get(id) : (await session.turn(turnId))?.attachments?.[Number(id)];
      if (!attachment?.image) throw new Error('No image is attached there.');
      const { mediaType, base64 } = attachment.image;
      return { source: `data:${mediaType};base64,${base64}` };
    },
    'chat/attachContext': async ({ from }) => {
      await attachments.add({ from });
      return {};
    },
    'chat/editorContext': async () => {
      const context = await attachments.context();
      return context ? { context } : {};
    },
    'chat/offers': async ({ query }, { signal }) => ({ offers: await attachments.offers.search(query, signal) }),
    'chat/attachOffer': async ({ id }) => {
      await attachments.add(attachments.offers.requested(id));
      return {};
    },
    'chat/drop': async (dropped) => {
      await attachments.drop(dropped);
      return {};
    },
  } satisfies Partial<Handlers<ChatScreen>>;
}
