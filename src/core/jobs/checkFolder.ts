import { realLocation } from '../workspace/realLocation';

/**
 * Throws, as the system does where a link is in the way, where a folder leads to another place than it did: to `real`, which is absent
 * where that was not noted.
 */
export function checkFolder(folder: string, real: string | undefined): void {
  if (real === undefined || realLocation(folder) === real) return;
  const message = `ELOOP: it leads to another place than when this was ordered, realpath '${folder}'`;
  throw Object.assign(new Error(message), { code: 'ELOOP', syscall: 'realpath', path: folder });
}
