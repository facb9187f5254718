import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { globFor, matchPaths } from '../../../core/workspace/pathMatches';
import { withToken } from '../../../platform/errors/cancellation';
import { filesBelow } from '../../../platform/workspace/workspaceFiles';
import type { Settings } from '../../../platform/settings';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { Offer } from '../../../protocol/chatOffers';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { offerGone } from './attachmentErrors';
import { standingOffers } from './offers';
import type { RequestedOffer } from './offers';
import { nameOf } from './toAttachment';
import { offerGuard } from './attachRequested';
import type { RequestedAttachment } from './attachRequested';

/** The items offered after `#`. The page gets ids and returns one of them; it never names a file itself. */
export interface OfferSearch {
  search(query: string, signal: AbortSignal): Promise<readonly Offer[]>;
  /** Throws a localized error for an id of a search that is too old. */
  wanted(id: string): RequestedAttachment;
}

/** As many as can be scanned by eye. */
const maxOffers = 20;
/** Covers several searches, because an item may be chosen while the next search is running. */
const maxRemembered = 200;

export function createOfferSearch(lastEditor: LastEditor, settings: Settings): OfferSearch {
  const remembered = new Map<string, RequestedAttachment>();
  const remember = ({ wanted, ...shown }: RequestedOffer): Offer => {
    const id = randomUUID();
    remembered.set(id, wanted);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(oldest);
    }
    return { id, ...shown };
  };
  return {
    async search(query, signal) {
      const wanted = query.toLowerCase();
      const standing = standingOffers(lastEditor).filter(({ name }) => name.toLowerCase().includes(wanted));
      const guard = await offerGuard(settings);
      const found = query === '' ? await openFiles(standing, guard) : await filesMatching(query, guard, signal);
      return [...standing, ...found].slice(0, maxOffers).map(remember);
    },
    wanted(id) {
      const found = remembered.get(id);
      if (!found) throw offerGone();
      return found;
    },
  };
}

/** Files in tabs that are not already offered as the open file, followed by the workspace folders. */
async function openFiles(
  standing: readonly RequestedOffer[],
  guard: WorkspaceGuard,
): Promise<readonly RequestedOffer[]> {
  const named = new Set(standing.filter(({ kind }) => kind === 'openFile').map(({ detail }) => detail));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => input));
  const uris = tabs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const files = (await guard.only(uris)).flatMap((uri) => {
    const path = nameOf(uri);
    if (named.has(path)) return [];
    named.add(path);
    return [offerOf('file', path, uri)];
  });
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => offerOf('folder', name, uri));
  return [...files, ...folders];
}

async function filesMatching(
  query: string,
  guard: WorkspaceGuard,
  signal: AbortSignal,
): Promise<readonly RequestedOffer[]> {
  const perFolder = await withToken(signal, (token) =>
    Promise.all(
      (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) => {
        const matches = matchPaths(await filesBelow(uri, { glob: globFor(query) }, token), query, maxOffers);
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
    wanted: { from: 'uris', uris: [uri], isOffered: true },
  };
}
