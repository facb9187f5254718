import path from 'node:path';

/** The repository. Scripts run from here whatever the current folder is. */
export const root = path.resolve(import.meta.dirname, '../..');

/** Editors and kept data, ignored by git. `INFERENCE_DESK_EDITORS` moves it, for instance to a cache shared by clones. */
export const editorsFolder = process.env['INFERENCE_DESK_EDITORS'] ?? path.join(root, '.vscode-test');

export const screenshotsFolder = path.join(root, 'dist/screenshots');
