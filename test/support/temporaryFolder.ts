import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Creates a separate folder for each test of the surrounding `describe`, and removes it afterwards. */
export function setUpFolder(): { readonly in: (name: string) => string; readonly path: () => string } {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'inference-desk-'));
  });
  // What a test left running may write until the end.
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return { in: (name) => path.join(folder, name), path: () => folder };
}
