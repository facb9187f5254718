import { realLocation } from '../workspace/realLocation';

/**
 * Throws `ELOOP`, as the system does for a link in the way, if a folder no longer resolves to `real`, which is absent if it was not
 * recorded.
 */
export function checkFolder(folder: string, real: string | undefined): void {
  if (real === undefined || realLocation(folder) === real) return;
  const message = `ELOOP: it leads to another place than when this was ordered, realpath '${folder}'`;
  throw Object.assign(new Error(message), { code: 'ELOOP', syscall: 'realpath', path: folder });
}
