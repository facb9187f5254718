import { isUsableGlob } from '../workspace/globs';

/**
 * What a person types to name files, as glob patterns: parted by commas; a name without a slash is found in every folder, and a
 * folder means all below it.
 */
export function toGlobs(typed: string): readonly string[] {
  return partsOf(typed).flatMap(globsOf);
}

/** Whether all of the patterns can be used. */
export function areUsableGlobs(typed: string): boolean {
  return toGlobs(typed).every(isUsableGlob);
}

/**
 * Whether the editor finds files by a pattern quickly. It makes regular expressions of patterns, in the same process: a few more stars in
 * one name, or folders of folders, and it does nothing else for minutes.
 */
export function isQuickGlob(glob: string): boolean {
  if (!isUsableGlob(glob)) return false;
  const isNested = /\{[^}]*\{/.test(glob);
  const [names, folders] = [glob.split(/[/,{}]/), glob.match(/\*\*/g) ?? []];
  const mostStars = Math.max(...names.map((name) => (name === '**' ? 0 : name.split(/[*?]/).length - 1)));
  return !isNested && folders.length <= 3 && mostStars <= 2;
}

/** Commas in braces part nothing. */
function partsOf(typed: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of typed) {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    if (letter === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim().replace(/^(\.?\/)+/, '')).filter((part) => part !== '' && part !== '.');
}

function globsOf(part: string): readonly string[] {
  const path = part.replace(/\/+$/, '');
  const anywhere = path.includes('/') || path === '**' ? path : `**/${path}`;
  if (anywhere.endsWith('**')) return [anywhere];
  // What ends with a slash is a folder, what ends like `*.ts` is none.
  const below = `${anywhere}/**`;
  if (part.endsWith('/')) return [below];
  return /\*\.\w+$/.test(path) ? [anywhere] : [anywhere, below];
}
