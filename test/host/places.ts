import { existsSync } from 'node:fs';
import path from 'node:path';

function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'esbuild.mjs')) ? folder : findRoot(path.dirname(folder));
}

/** The repository, also seen from a test that was compiled into `dist/`. */
export const root = findRoot(import.meta.dirname);

/** Editors and kept data, ignored by git. `INFERENCE_DESK_EDITORS` moves it, for instance to a cache shared by clones. */
export const editorsFolder = process.env['INFERENCE_DESK_EDITORS'] ?? path.join(root, '.vscode-test');

export const screenshotsFolder = path.join(root, 'dist/screenshots');

/** What `npm run package` makes. */
export const packageFile = path.join(root, 'dist/inference-desk.vsix');

/** The pictures of the README, which are committed. */
export const picturesFolder = path.join(root, 'media/readme');
