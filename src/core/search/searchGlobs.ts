/**
 * What a person types to name files, as glob patterns: parted by commas; a name without a slash is found in every folder, and a
 * folder means all below it. `undefined` for nothing.
 */
export function toGlob(typed: string): string | undefined {
  const globs = toGlobs(typed);
  return globs.length > 1 ? `{${globs.join(',')}}` : globs[0];
}

/** The same, one by one. */
export function toGlobs(typed: string): readonly string[] {
  return partsOf(typed).flatMap(globsOf);
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
