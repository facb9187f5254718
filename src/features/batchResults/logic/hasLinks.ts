import type { Memento } from 'vscode';

/** Where the links between batch files and the runs they repeat are stored, by file. */
export const linksKey = 'batchResults.links';
/** Nobody waits longer for a run that never started. */
const longestMs = 14 * 24 * 60 * 60 * 1000;

export function isRecent(at: unknown): boolean {
  return typeof at === 'number' && Date.now() - at < longestMs;
}

/** Whether any batch file is linked to a run that may still end. Loaded at the start, without the rest. */
export function hasLinks(memento: Memento): boolean {
  const links = memento.get<Readonly<Record<string, { readonly at?: unknown }>>>(linksKey, {});
  return Object.values(links).some(({ at }) => isRecent(at));
}
