import ignore from 'ignore';

/** A `.gitignore` and the folder it stands in; an empty folder is the one all paths are relative to. */
export interface IgnoreFile {
  readonly folder: string;
  readonly text: string;
}

/** Whether Git would ignore a file, by its path with `/`, or a folder, whose path ends with one. Deeper files overrule, but nothing brings back what is in an ignored folder. */
export function createGitignore(files: readonly IgnoreFile[]): (path: string) => boolean {
  const rules = files
    .toSorted((a, b) => a.folder.length - b.folder.length)
    .map(({ folder, text }) => ({ prefix: folder === '' ? '' : `${folder}/`, rules: ignore().add(text) }));
  const folders = new Map<string, boolean>();

  const isIgnoredItself = (path: string): boolean => {
    let isIgnored = false;
    for (const { prefix, rules: these } of rules) {
      const relative = path.slice(prefix.length);
      if (!path.startsWith(prefix) || relative === '') continue;
      const { ignored, unignored } = these.test(relative);
      if (ignored || unignored) isIgnored = ignored;
    }
    return isIgnored;
  };
  const isFolderIgnored = (folder: string): boolean => {
    if (folder === '') return false;
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const isIgnored = isFolderIgnored(parentOf(folder)) || isIgnoredItself(`${folder}/`);
    folders.set(folder, isIgnored);
    return isIgnored;
  };
  return (path) =>
    path.endsWith('/') ? isFolderIgnored(path.slice(0, -1)) : isFolderIgnored(parentOf(path)) || isIgnoredItself(path);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
