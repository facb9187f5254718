import { createGlobMatcher, longestGlob } from './globs';

/** A `.gitignore` and the folder it stands in; an empty folder is the one all paths are relative to. */
export interface IgnoreFile {
  readonly folder: string;
  /** By a path from that folder, itself and not the folders it is in: `undefined` where nothing is said of it. */
  readonly isIgnored: (path: string) => boolean | undefined;
}

/** Whether Git would ignore a file, by its path with `/`, or a folder, whose path ends with one. Deeper files overrule, but nothing brings back what is in an ignored folder. */
export function createGitignore(files: readonly IgnoreFile[]): (path: string) => boolean {
  const rules = files
    .toSorted((a, b) => a.folder.length - b.folder.length)
    .map(({ folder, isIgnored }) => ({ prefix: folder === '' ? '' : `${folder}/`, isIgnored }));
  const folders = new Map<string, boolean>();

  const isIgnoredItself = (path: string): boolean => {
    let isIgnored = false;
    for (const { prefix, isIgnored: bySelf } of rules) {
      if (path.startsWith(prefix)) isIgnored = bySelf(path.slice(prefix.length)) ?? isIgnored;
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

/** More of one file is not used: each of its letters is gone through again for each path. */
const mostLetters = 50_000;

export function readIgnoreFile(folder: string, text: string): IgnoreFile {
  const rules = text
    .slice(0, mostLetters)
    .split('\n')
    .flatMap((line) => toRule(line) ?? []);
  const last = createGlobMatcher(
    rules.map(({ glob }) => glob),
    { noCase: true },
  );
  return { folder, isIgnored: (path) => rules[last(path)]?.isIgnored };
}

function toRule(line: string): { readonly glob: string; readonly isIgnored: boolean } | undefined {
  const rule = withoutBlanks(line);
  const isIgnored = !rule.startsWith('!');
  const pattern = isIgnored ? rule : rule.slice(1);
  const isForFolders = pattern.endsWith('/');
  const path = isForFolders ? pattern.slice(0, -1) : pattern;
  if (path === '' || line.startsWith('#')) return undefined;
  const parts = withoutSlashInClasses(path).replace(/^\//, '').split('/').map(toGlobPart);
  // Two stars at the end are all that is in a folder, and not the folder.
  if (parts.at(-1) === '**') parts.push('?*');
  const anywhere = path.includes('/') ? [] : ['**'];
  return { glob: `${[...anywhere, ...parts].join('/')}${isForFolders ? '/' : '{,/}'}`, isIgnored };
}

/** Blanks at the end say nothing but behind a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' || line[end - 1] === '\t' || line[end - 1] === '\r') end -= 1;
  const isEscaped = /\\*$/.exec(line.slice(0, end))![0].length % 2 === 1;
  return line.slice(0, isEscaped ? end + 1 : end);
}

/** A slash among letters, as in `[a/b]`, fits nothing, but parts no names. No path has the letter that takes its place. */
function withoutSlashInClasses(path: string): string {
  // What is not used anyway is not searched.
  if (path.length > longestGlob) return path;
  return path.replaceAll(/\\[^]|\[[!^]?\]?(?:\[:[^\]]*:\]|\\[^]|[^\]\\])*\]/g, (found) =>
    found.startsWith('[') ? found.replaceAll('/', '\0') : found,
  );
}

/** To Git braces are letters, and stars are two only where they are a whole name; a name is never empty. */
function toGlobPart(part: string): string {
  if (part === '**') return part;
  if (/^\*+$/.test(part)) return '?*';
  return part.replaceAll(/\\[^]|[{},]|\*+/g, (found) => {
    if (found.startsWith('*')) return '*';
    return found.startsWith('\\') ? found : `\\${found}`;
  });
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
