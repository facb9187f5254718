import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, parse, resolve } from 'node:path';

/**
 * Returns the path with links resolved; for a missing file, those of its parents. A dangling link leads to where its target would
 * be created; a circular one to the root, a location that is not used.
 */
export function realLocation(path: string, linksLeft = 40): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    if (above === path || linksLeft === 0) return parse(path).root;
    const link = linkAt(path);
    const place = realLocation(above, linksLeft - 1);
    return link === undefined ? join(place, basename(path)) : realLocation(resolve(place, link), linksLeft - 1);
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Throws `ELOOP`, as the system does for a link in the way, if a folder no longer resolves to `real`, which is absent if it was not
 * recorded.
 */
export function checkFolder(folder: string, real: string | undefined): void {
  if (real === undefined || realLocation(folder) === real) return;
  const message = `ELOOP: it leads to another place than when this was ordered, realpath '${folder}'`;
  throw Object.assign(new Error(message), { code: 'ELOOP', syscall: 'realpath', path: folder });
}
