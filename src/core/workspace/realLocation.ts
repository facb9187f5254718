import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, parse, resolve } from 'node:path';

/**
 * With its links resolved; of what is not there yet, those above it. A link to nothing leads to where that would be made; one that leads
 * to itself is at no place that is used.
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
