import { existsSync } from 'node:fs';
import path from 'node:path';

function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'esbuild.mjs')) ? folder : findRoot(path.dirname(folder));
}

/** The repository, also for a test that was compiled into `dist/`. */
export const root = findRoot(import.meta.dirname);

/** Editors and saved data, ignored by git. `INFERENCE_DESK_EDITORS` sets another folder, for example a cache shared by clones. */
export const editorsFolder = process.env['INFERENCE_DESK_EDITORS'] ?? path.join(root, '.vscode-test');

export const screenshotsFolder = path.join(root, 'dist/screenshots');

/** The output of `npm run package`. */
export const packageFile = path.join(root, 'dist/inference-desk.vsix');

/** The README's images, which are committed. */
export const picturesFolder = path.join(root, 'media/readme');
