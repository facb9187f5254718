import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { globFor, matchPaths } from '../../../core/workspace/pathMatches';
import { withToken } from '../../../platform/errors/cancellation';
import type { Settings } from '../../../platform/settings';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { filesBelow } from '../../../platform/workspace/workspaceFiles';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { Offer } from '../../../protocol/chatOffers';
import type { OfferKind } from '../../../protocol/offerIcons';
import { foldText } from '../../../protocol/formats';
import { nameOf, offerGone } from './readAttachment';
import { hasGitChanges } from './readChanges';
import { searchSymbols } from './symbols';

/** A request to attach something from the editor in its current state. */
export type RequestedAttachment =
  | { readonly from: 'selection' | 'openFile' | 'problems' | 'terminal' | 'lastCommand' | 'changes' }
  /** In a dialog. */
  | { readonly from: 'browse' }
  | { readonly from: 'image' }
  | { readonly from: 'symbol'; readonly name: string; readonly uri: vscode.Uri; readonly position: vscode.Position }
  /** `isOffered`: chosen from a list we generated, and not picked from all files. */
  | { readonly from: 'uris'; readonly uris: readonly vscode.Uri[]; readonly isOffered?: boolean };

/** The sources of a search. */
export interface OfferSources {
  readonly lastEditor: LastEditor;
  readonly settings: Settings;
}

/** The items offered after `#`. The page gets ids and returns one of them; it never names a file itself. */
export interface OfferSearch {
  search(query: string, signal: AbortSignal): Promise<readonly Offer[]>;
  /** Throws a localized error for an id of a search that is too old. */
  requested(id: string): RequestedAttachment;
}

const mostOffers = 40;
/** The limit of each kind, so that one doesn't displace the others. */
const mostFiles = 16;
const mostSymbols = 10;
const mostRecent = 6;
/** Covers several searches, because an item may be chosen while the next search is running. */
const maxRemembered = 200;

/** Maps list items to their meaning. The page gets IDs and returns one of them. It never names a file or a command itself. */
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

export function createOfferSearch({ lastEditor, settings }: OfferSources): OfferSearch {
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
        return [
          ...open,
          ...(await recentFiles(open, guard, signal)),
          ...context,
          dialogOffer('browse', l10n.t('Files and Folders…')),
          images(),
        ].map(remember);
      }
      const [found, symbols] = await Promise.all([
        filesMatching(query, guard, signal),
        searchSymbols(query, guard, mostSymbols),
      ]);
      const folders = found.filter(({ kind }) => kind === 'folder');
      const files = found.filter(({ kind }) => kind === 'file');
      const dialogs = [images()].filter(({ name }) => foldText(name).includes(searched));
      return [...files, ...folders, ...symbols.map(symbolOffer), ...standing, ...dialogs]
        .slice(0, mostOffers)
        .map(remember);
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

export function images(): RequestedOffer {
  return dialogOffer('image', l10n.t('Images…'));
}

function dialogOffer(from: 'browse' | 'image', name: string): RequestedOffer {
  return { kind: from, name, detail: '', group: l10n.t('Browse'), requested: { from } };
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
export interface RequestedOffer {
  readonly kind: Exclude<OfferKind, 'task' | 'promptFile' | 'command' | 'tool'>;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
  readonly requested: RequestedAttachment;
}

/** The attachments offered for the current state: of the editor, of Git, and of the active terminal. */
export function standingOffers(lastEditor: LastEditor): readonly RequestedOffer[] {
  const editor = lastEditor.current();
  const terminal = vscode.window.activeTerminal;
  return [
    ...(editor ? offersOf(editor) : []),
    ...(hasGitChanges() ? [offer('changes', l10n.t('Changes'), l10n.t('Git diff'))] : []),
    ...(terminal?.shellIntegration ? [offer('lastCommand', l10n.t('Last terminal command'), terminal.name)] : []),
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
  from: 'selection' | 'openFile' | 'problems' | 'terminal' | 'lastCommand' | 'changes',
  name: string,
  detail: string,
): RequestedOffer {
  return {
    kind: from === 'lastCommand' ? 'terminal' : from,
    name,
    detail,
    group: l10n.t('Context'),
    requested: { from },
  };
}

/** Also allows files outside the workspace, because files in tabs are offered too. */
export function offerGuard(settings: Settings): Promise<WorkspaceGuard> {
  return WorkspaceGuard.open(settings, { allowsElsewhere: true });
}
