import { Session } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns every file in `folder` that this process has loaded as a script so far, relative to it, with `/`. */
export function loadedScripts(folder: string): readonly string[] {
  const session = new Session();
  session.connect();
  const found: string[] = [];
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (!url.startsWith('file://')) return;
    const name = path.relative(folder, fileURLToPath(url.replace(/\?.*$/, '')));
    if (!name.startsWith('..')) found.push(name.replaceAll(path.sep, '/'));
  });
  // Reports all scripts that were already loaded.
  session.post('Debugger.enable');
  session.disconnect();
  return found;
}
