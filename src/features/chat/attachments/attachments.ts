import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { type Attachment, attachedText } from '../../../core/conversation/attachment';
import { type PickItem, askPick } from '../../../platform/quickInput';
import type { VirtualDocuments } from '../../../platform/virtualDocuments';
import type { Settings } from '../../../platform/settings';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import type { ShownConversation } from '../logic/shownConversation';
import {
  checkTrust,
  decodeOther,
  folderWithoutPlace,
  nameOf,
  noFile,
  notAFile,
  notText,
  offerGone,
  readFile,
  readProblems,
  readSelection,
  readTerminalSelection,
  toAttachment,
  tooLong,
  tooMany,
} from './readAttachment';
import { hasGitChanges, readChanges } from './readChanges';
import { readEditorContext } from './editorContext';
import { readSymbol, searchSymbols } from './symbols';
import { type AttachmentTray, type TrayListener, createAttachmentTray } from '../logic/attachmentTray';
import type { DroppedFile, EditorContext, Offer, OfferKind } from '../../../protocol/chatOffers';
import { foldText } from '../../../protocol/formats';
import { globFor, matchPaths } from '../../../core/workspace/pathMatches';
import { withToken } from '../../../platform/errors/cancellation';
import { filesBelow } from '../../../platform/workspace/workspaceFiles';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { Handlers } from '../../../protocol/call';
import type { ChatScreen } from '../../../protocol/chat';
import type { ChatSession } from '../logic/chatSession';

/** A request to attach something from the editor in its current state. */
export type RequestedAttachment =
  | { readonly from: 'selection' | 'openFile' | 'problems' | 'terminal' | 'changes' | 'browse' }
  | { readonly from: 'symbol'; readonly name: string; readonly uri: vscode.Uri; readonly position: vscode.Position }
  /** `isOffered`: chosen from a list we generated, and not picked from all files. */
  | { readonly from: 'uris'; readonly uris: readonly vscode.Uri[]; readonly isOffered?: boolean };

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

export interface AttachmentsOptions extends TrayListener {
  readonly shown: Pick<ShownConversation, 'current' | 'conversation'>;
  readonly lastEditor: LastEditor;
  readonly settings: Settings;
  /** Used to show what is sent. */
  readonly documents: VirtualDocuments;
}

export function createAttachments({
  shown,
  lastEditor,
  settings,
  documents,
  ...listener
}: AttachmentsOptions): Attachments {
  const tray = createAttachmentTray(() => shown.conversation?.attached, listener, tooMany);
  const ready = async () => void (await shown.current());
  const add = async (requested: RequestedAttachment): Promise<void> => {
    await ready();
    if (requested.from === 'browse') await addFrom({ canSelectFolders: true });
    else await attachRequested(requested, tray, { lastEditor, settings });
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
    context: () => readEditorContext(lastEditor, settings),
    ready,
    async drop(dropped) {
      await ready();
      await attachDropped(dropped, tray);
    },
    async choose() {
      const chosen = await askPick<RequestedAttachment | 'files' | 'folder'>({
        title: l10n.t('Add to Chat'),
        placeholder: l10n.t('Choose what to attach'),
        canGoBack: false,
        items: [
          ...standingOffers(lastEditor).map(toPickItem),
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

/** Attaches it. Throws a localized error for what it refuses; of several files, attaches those it can, then throws the first error. */
async function attachRequested(
  requested: RequestedAttachment,
  tray: AttachmentTray,
  { lastEditor, settings }: { readonly lastEditor: LastEditor; readonly settings: Settings },
): Promise<void> {
  const document = lastEditor.current()?.document;
  switch (requested.from) {
    case 'selection':
      return tray.add(readSelection(lastEditor.current()));
    case 'terminal':
      return tray.add(await readTerminalSelection());
    case 'changes':
      return tray.add(await readChanges(await offerGuard(settings)));
    case 'browse':
      // The dialog asks for URIs, which are attached then.
      return undefined;
    case 'symbol':
      return tray.add(await readSymbol(requested, await offerGuard(settings)));
    case 'problems':
      if (!document) throw noFile();
      return tray.add(readProblems(document));
    case 'openFile':
      if (!document) throw noFile();
      return tray.add(await readFile(document.uri));
    case 'uris': {
      const guard = requested.isOffered === true ? await offerGuard(settings) : undefined;
      return attachEach(
        requested.uris.map((uri) => () => readFile(uri, guard)),
        tray,
      );
    }
  }
}

/** Also allows files outside the workspace, because files in tabs are offered too. */
function offerGuard(settings: Settings): Promise<WorkspaceGuard> {
  return WorkspaceGuard.open(settings, { allowsElsewhere: true });
}

/** Adds everything that can be read, in the given order, then throws the first error. */
async function attachEach(readers: readonly (() => Promise<Attachment>)[], tray: AttachmentTray): Promise<void> {
  const outcomes = await Promise.allSettled(readers.map((read) => read()));
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') tray.add(outcome.value);
  const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refusal) throw refusal.reason;
}

const offerIcons: Readonly<Record<RequestedOffer['kind'], string>> = {
  browse: 'folder-opened',
  symbol: 'symbol-misc',
  selection: 'selection',
  openFile: 'file',
  problems: 'warning',
  terminal: 'terminal',
  changes: 'diff',
  file: 'file',
  folder: 'folder',
};

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

/** Attaches what was dropped on the page. Validates all URIs before anything is read; then reads them like any other file. */
async function attachDropped({ uris, files }: Dropped, tray: AttachmentTray): Promise<void> {
  checkTrust();
  const locations = uris.map(toUri);
  await attachEach([...locations.map((uri) => () => readFile(uri)), ...files.map((file) => () => toFile(file))], tray);
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
  if (file.problem === 'folder') throw folderWithoutPlace(file.name);
  throw file.problem === 'tooLong' ? tooLong(file.name) : notText(file.name);
}

/** The items offered after `#`. The page gets ids and returns one of them; it never names a file itself. */
interface OfferSearch {
  search(query: string, signal: AbortSignal): Promise<readonly Offer[]>;
  /** Throws a localized error for an id of a search that is too old. */
  requested(id: string): RequestedAttachment;
}

const mostOffers = 40;
/** Of each kind, so that one doesn't push the others out. */
const mostFiles = 16;
const mostSymbols = 10;
const mostRecent = 6;
/** Covers several searches, because an item may be chosen while the next search is running. */
const maxRemembered = 200;

/** What the items of a list stand for. The page gets IDs and returns one of them; it never names a file or a command itself. */
export class OfferIds<Meaning> {
  private readonly remembered = new Map<string, Meaning>();

  /** Returns a new ID. The oldest one is forgotten once there are too many. */
  add(meaning: Meaning): string {
    const id = randomUUID();
    this.remembered.set(id, meaning);
    for (const oldest of this.remembered.keys()) {
      if (this.remembered.size <= maxRemembered) break;
      this.remembered.delete(oldest);
    }
    return id;
  }

  /** `undefined` for an ID of a list that is too old. */
  get(id: string): Meaning | undefined {
    return this.remembered.get(id);
  }
}

function createOfferSearch(lastEditor: LastEditor, settings: Settings): OfferSearch {
  const ids = new OfferIds<RequestedAttachment>();
  const remember = ({ requested, ...shown }: RequestedOffer): Offer => ({ id: ids.add(requested), ...shown });
  return {
    async search(query, signal) {
      const searched = foldText(query);
      const standing = standingOffers(lastEditor).filter(({ name }) => foldText(name).includes(searched));
      const guard = await offerGuard(settings);
      if (query === '') {
        const open = standing.filter(({ kind }) => kind === 'openFile').map(asFile);
        const context = standing.filter(({ kind }) => kind !== 'openFile');
        return [...open, ...(await recentFiles(open, guard, signal)), ...context, browse()].map(remember);
      }
      const [found, symbols] = await Promise.all([
        filesMatching(query, guard, signal),
        searchSymbols(query, guard, mostSymbols),
      ]);
      const folders = found.filter(({ kind }) => kind === 'folder');
      const files = found.filter(({ kind }) => kind === 'file');
      return [...files, ...folders, ...symbols.map(symbolOffer), ...standing].slice(0, mostOffers).map(remember);
    },
    requested(id) {
      const found = ids.get(id);
      if (!found) throw offerGone();
      return found;
    },
  };
}

/** The open file by its name and place, like the other files before anything is typed. */
function asFile(open: RequestedOffer): RequestedOffer {
  const end = open.detail.lastIndexOf('/');
  return {
    ...open,
    name: open.detail.slice(end + 1),
    detail: open.detail.slice(0, Math.max(0, end)),
    group: l10n.t('Recent files'),
  };
}

/** How many files are compared by when they were changed. */
const mostCompared = 200;

/** Files in tabs that are not already offered, then those that were changed last, followed by the workspace folders. */
async function recentFiles(
  offered: readonly RequestedOffer[],
  guard: WorkspaceGuard,
  signal: AbortSignal,
): Promise<readonly RequestedOffer[]> {
  const named = new Set(offered.map(({ name, detail }) => (detail === '' ? name : `${detail}/${name}`)));
  const take = (uris: readonly vscode.Uri[], most: number) =>
    uris
      .flatMap((uri) => {
        const path = nameOf(uri);
        if (named.has(path)) return [];
        named.add(path);
        return [{ ...offerOf('file', path, uri), group: l10n.t('Recent files') }];
      })
      .slice(0, most);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => input));
  const uris = tabs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const files = take(await guard.only(uris), mostRecent);
  const left = mostRecent - files.length - offered.length;
  const changed = left > 0 ? take(await guard.only(await changedLast(signal)), left) : [];
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => offerOf('folder', name, uri));
  return [...files, ...changed, ...folders];
}

/** Returns files of the workspace, those changed last first. In Restricted Mode none, because nothing of the workspace is read. */
async function changedLast(signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  if (!vscode.workspace.isTrusted) return [];
  const perFolder = await withToken(signal, (token) =>
    Promise.all(
      (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) =>
        (await filesBelow(uri, {}, token)).slice(0, mostCompared).map((path) => vscode.Uri.joinPath(uri, path)),
      ),
    ),
  );
  const dated = await Promise.all(
    perFolder.flat().map(async (uri) => {
      const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
      return { uri, at: stat?.mtime ?? 0 };
    }),
  );
  return dated.toSorted((a, b) => b.at - a.at).map(({ uri }) => uri);
}

function symbolOffer({ name, location: { uri, range } }: vscode.SymbolInformation): RequestedOffer {
  return {
    kind: 'symbol',
    name,
    detail: `${nameOf(uri)}:${range.start.line + 1}`,
    group: l10n.t('Symbols'),
    requested: { from: 'symbol', name, uri, position: range.start },
  };
}

function browse(): RequestedOffer {
  return {
    kind: 'browse',
    name: l10n.t('Files and Folders…'),
    detail: '',
    group: l10n.t('Browse'),
    requested: { from: 'browse' },
  };
}

async function filesMatching(
  query: string,
  guard: WorkspaceGuard,
  signal: AbortSignal,
): Promise<readonly RequestedOffer[]> {
  const perFolder = await withToken(signal, (token) =>
    Promise.all(
      (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) => {
        const matches = matchPaths(await filesBelow(uri, { glob: globFor(query) }, token), query, mostFiles);
        const locations = matches.map(({ kind, path }) => ({ kind, location: vscode.Uri.joinPath(uri, path) }));
        const open = new Set(await guard.only(locations.map(({ location }) => location)));
        return locations.flatMap(({ kind, location }) =>
          open.has(location) ? [offerOf(kind, nameOf(location), location)] : [],
        );
      }),
    ),
  );
  return perFolder.flat();
}

function offerOf(kind: 'file' | 'folder', path: string, uri: vscode.Uri): RequestedOffer {
  const end = path.lastIndexOf('/');
  return {
    kind,
    name: path.slice(end + 1),
    detail: path.slice(0, Math.max(0, end)),
    group: kind === 'file' ? l10n.t('Files') : l10n.t('Folders'),
    requested: { from: 'uris', uris: [uri], isOffered: true },
  };
}

/** An item to choose from a list, and the attachment it represents. */
interface RequestedOffer {
  readonly kind: Exclude<OfferKind, 'task' | 'promptFile' | 'command' | 'tool'>;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
  readonly requested: RequestedAttachment;
}

/** The attachments offered for the editor's current state: its selection, file, that file's problems, and the terminal selection. */
function standingOffers(lastEditor: LastEditor): readonly RequestedOffer[] {
  const editor = lastEditor.current();
  const terminal = vscode.window.activeTerminal;
  return [
    ...(editor ? offersOf(editor) : []),
    ...(hasGitChanges() ? [offer('changes', l10n.t('Changes'), l10n.t('Git diff'))] : []),
    ...(terminal ? [offer('terminal', l10n.t('Terminal selection'), terminal.name)] : []),
  ];
}

function offersOf({ document, selection }: vscode.TextEditor): readonly RequestedOffer[] {
  const name = nameOf(document.uri);
  const problems = vscode.languages.getDiagnostics(document.uri).length;
  return [
    ...(selection.isEmpty ? [] : [offer('selection', l10n.t('Selection'), name)]),
    offer('openFile', l10n.t('Open file'), name),
    ...(problems === 0 ? [] : [offer('problems', l10n.t('Problems in open file ({0})', problems), name)]),
  ];
}

function offer(
  from: 'selection' | 'openFile' | 'problems' | 'terminal' | 'changes',
  name: string,
  detail: string,
): RequestedOffer {
  return { kind: from, name, detail, group: l10n.t('Context'), requested: { from } };
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
