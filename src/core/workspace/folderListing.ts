export interface FolderListing {
  /** Sorted by path. */
  readonly paths: readonly string[];
  /** The total number, including omitted ones. */
  readonly count: number;
}

/** Returns up to `most` paths. The deepest are omitted first, because those further up say more about a folder. */
export function listPaths(paths: readonly string[], most: number): FolderListing {
  const depth = (path: string) => path.split('/').length;
  const listed =
    paths.length <= most ? paths : paths.toSorted((a, b) => depth(a) - depth(b) || inOrder(a, b)).slice(0, most);
  return { paths: listed.toSorted(inOrder), count: paths.length };
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
