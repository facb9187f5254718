import { foldText } from '../../protocol/formats';

/** A file or folder whose path contains the query. */
export interface PathMatch {
  readonly kind: 'file' | 'folder';
  /** With `/`, without a trailing one. */
  readonly path: string;
}

/** No system has longer paths. */
const longestPath = 4096;

/** Returns the files, and their folders, whose path contains `query`: first those whose name begins with it, then the shorter ones. */
export function matchPaths(paths: readonly string[], query: string, most: number): readonly PathMatch[] {
  const folded = foldText(query);
  const found = new Map<string, PathMatch & { readonly rank: number }>();
  const take = (kind: PathMatch['kind'], path: string) => {
    if (found.has(path)) return;
    const rank = rankOf(foldText(path), folded);
    if (rank !== undefined) found.set(path, { kind, path, rank });
  };
  for (const path of paths) {
    if (path.length > longestPath) continue;
    take('file', path);
    for (const folder of foldersIn(path, folded)) take('folder', folder);
  }
  return [...found.values()]
    .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ kind, path }) => ({ kind, path }));
}

/** Distance of a full-width character (`Ａ`) from its usual form. */
const toWide = 0xfee0;

/** Returns a glob, ignoring case and width, for everything `matchPaths` may return. Special glob characters become a wildcard. */
export function globFor(query: string): string {
  const letters = Array.from(query, (letter) => {
    if (/[*?{}[\],!\\/]/.test(letter)) return letter === '/' ? letter : '?';
    const forms = [letter, letter.normalize('NFKC')].flatMap((form) => [form.toLowerCase(), form.toUpperCase()]);
    const wide = forms
      .filter((form) => /^[!-~]$/.test(form))
      .map((form) => String.fromCharCode(form.charCodeAt(0) + toWide));
    const known = [...new Set([...forms, ...wide])].filter(
      (form) => form.length === 1 && !/[*?{}[\],!\\/^-]/.test(form),
    );
    return known.length < 2 ? letter : `[${known.join('')}]`;
  });
  return `{**/*${letters.join('')}*,**/*${letters.join('')}*/**}`;
}

function rankOf(path: string, query: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(query)) return 0;
  if (name.includes(query)) return 1;
  return path.includes(query) ? 2 : undefined;
}

/**
 * Yields the folders of a path whose own name contains the end of the query, outermost first. A folder that only matches through a parent
 * is omitted. Otherwise everything below that parent would be found.
 */
function* foldersIn(path: string, query: string): Iterable<string> {
  const lowered = foldText(path);
  // A letter whose lower case is longer would move what follows it.
  const lower = lowered.length === path.length ? lowered : path;
  let name = 0;
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', name)) {
    const from = Math.max(0, name - query.length);
    if (lower.slice(from, end).includes(query)) yield path.slice(0, end);
    name = end + 1;
  }
}
