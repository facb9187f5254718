import { isUsableGlob } from '../workspace/globs';

/**
 * Converts typed file patterns to globs: separated by commas; a name without a slash matches in every folder, and a folder matches
 * everything below it.
 */
export function toGlobs(typed: string): readonly string[] {
  return partsOf(typed).flatMap(globsOf);
}

/** Whether all of the patterns are usable. */
export function areUsableGlobs(typed: string): boolean {
  return toGlobs(typed).every(isUsableGlob);
}

/**
 * Whether VS Code evaluates a glob quickly. It converts globs to regular expressions in the same process: with a few more stars in one
 * name, or more `**`, it hangs for minutes.
 */
export function isQuickGlob(glob: string): boolean {
  if (!isUsableGlob(glob)) return false;
  const isNested = /\{[^}]*\{/.test(glob);
  const [names, folders] = [glob.split(/[/,{}]/), glob.match(/\*\*/g) ?? []];
  const mostStars = names
    .map((name) => (name === '**' ? 0 : name.split(/[*?]/).length - 1))
    .reduce((most, one) => Math.max(most, one), -Infinity);
  return !isNested && folders.length <= 3 && mostStars <= 2;
}

/** Commas in braces do not separate. */
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
  const path = part.replace(/(?<!\/)\/+$/, '');
  const anywhere = path.includes('/') || path === '**' ? path : `**/${path}`;
  if (anywhere.endsWith('**')) return [anywhere];
  // A trailing slash denotes a folder; a name ending like `*.ts` is not a folder.
  const below = `${anywhere}/**`;
  if (part.endsWith('/')) return [below];
  return /\*\.\w+$/.test(path) ? [anywhere] : [anywhere, below];
}
